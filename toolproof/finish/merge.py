"""One report out of several: shards of a run, or runs of several servers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolproof.errors import ConfigError
from toolproof.finish.fingerprint import with_fingerprints
from toolproof.finish.join import joined
from toolproof.report import (
    AnyReport,
    Collection,
    Note,
    PhaseName,
    RunReport,
    Section,
    Severity,
    in_order,
    runs_of,
)
from toolproof.report.shard import Shard, parse_shard
from toolproof.text import listed


@dataclass(frozen=True, slots=True)
class Read:
    """A report, and the file that it was read from."""

    path: str
    report: AnyReport


@dataclass(frozen=True, slots=True)
class _Run:
    path: str
    run: RunReport
    shard: Shard | None


def merged(
    reports: Sequence[Read],
    *,
    fail_on: Severity | str | None = "reports",
    allow_missing: bool = False,
) -> AnyReport:
    """The report of the whole: what the run without shards would have given, times aside.

    Args:
        reports: In any order; of the same part, the one that was started last counts.
        fail_on: The lowest severity that fails, None for none; "reports": the lowest that the
            reports themselves failed on, and errors at least.
        allow_missing: Whether a part may be missing; it is told.

    Raises:
        ConfigError: They do not belong together, or a part is missing.
    """
    groups = _by_server(reports)
    limit = _limit(reports, fail_on)
    runs = [
        with_fingerprints(replace(_one(name, group, allow_missing=allow_missing), fail_on=limit))
        for name, group in groups.items()
    ]
    several = len(runs) != 1 or any(isinstance(read.report, Collection) for read in reports)
    return Collection(tuple(runs)) if several else runs[0]


def _limit(reports: Sequence[Read], fail_on: Severity | str | None) -> Severity | None:
    if fail_on != "reports":
        return Severity(fail_on) if fail_on is not None else None
    own = [run.fail_on for read in reports for run in runs_of(read.report) if run.fail_on]
    return max([*own, Severity.ERROR], key=lambda severity: severity.rank)


def _by_server(reports: Sequence[Read]) -> dict[str, list[_Run]]:
    """The runs of each server, by its name; those that never reached it by its command or URL."""
    everything = [
        _Run(read.path, run, _shard(read.path, run))
        for read in reports
        for run in runs_of(read.report)
    ]
    if not everything:
        raise ConfigError("there is no run in these reports")
    groups: dict[str, list[_Run]] = {}
    names: dict[str, str] = {}  # of a target, where the server was reached
    for one in everything:
        if one.run.server is not None:
            names.setdefault(one.run.target, one.run.label)
    for one in everything:
        name = one.run.label
        if one.run.server is None and name == one.run.target:
            name = names.get(one.run.target, name)
        groups.setdefault(name, []).append(one)
    return groups


def _shard(path: str, run: RunReport) -> Shard | None:
    if run.shard is None:
        return None
    try:
        return parse_shard(run.shard)
    except ValueError as exc:
        raise ConfigError(f"'shard' in it: {exc}", where=path) from None


def _one(name: str, group: Sequence[_Run], *, allow_missing: bool) -> RunReport:
    """The whole run of one server."""
    _refuse_strangers(name, group)
    newest: dict[Shard | None, _Run] = {}
    replaced: list[_Run] = []
    for one in group:
        older = newest.get(one.shard)
        if older is not None:
            older, one = sorted((older, one), key=lambda run: run.run.started)  # noqa: PLW2901
            replaced.append(older)
        newest[one.shard] = one
    parts = [one for _, one in sorted(newest.items(), key=lambda pair: pair[0] or (1, 1))]
    notes = [
        Note(f"{old.path} is left out: {newest[old.shard].path} is a later run of the same")
        for old in replaced
    ]
    missing = _missing(parts)
    if missing and not allow_missing:
        raise ConfigError(
            f"server {name!r}: {_shards(missing)} of {parts[0].shard[1] if parts[0].shard else 1} "
            f"{'is' if len(missing) == 1 else 'are'} missing",
            hint="Give the reports of all shards, or allow it with --allow-missing.",
        )
    if missing:
        notes.append(Note(f"{_shards(missing)} missing: what they would have judged is not here"))
    return _joined([one.run for one in parts], notes, whole=not missing)


def _refuse_strangers(name: str, group: Sequence[_Run]) -> None:
    """Raise ConfigError if the runs are no parts of one."""
    facts = [_facts(one) for one in group]
    for other, theirs in zip(group, facts, strict=True):
        for what, ours in facts[0].items():
            if theirs[what] != ours:
                raise ConfigError(
                    f"server {name!r}: {group[0].path} and {other.path} differ in {what}: "
                    f"{ours} and {theirs[what]}",
                    hint="Merge the reports of one run: of the same toolproof.yaml, options and version.",
                )


def _facts(one: _Run) -> dict[str, str]:
    """What parts of one run have in common."""
    return {
        "the version of toolproof": one.run.toolproof_version or "none",
        "the digest of what was asked for": one.run.config_digest or "none",
        "the number of shards": str(one.shard[1] if one.shard else 1),
    }


def _missing(parts: Sequence[_Run]) -> list[int]:
    shard = parts[0].shard
    if shard is None:
        return []
    there = {one.shard[0] for one in parts if one.shard is not None}
    return [number for number in range(1, shard[1] + 1) if number not in there]


def _shards(numbers: Sequence[int]) -> str:
    return f"shard{'' if len(numbers) == 1 else 's'} {listed(map(str, numbers), most=10)}"


def _joined(runs: Sequence[RunReport], notes: Sequence[Note], *, whole: bool) -> RunReport:
    first = runs[0]
    reached = next((run for run in runs if run.server is not None), first)
    broken = max(
        (run for run in runs if run.error is not None),
        key=lambda run: run.exit_code,
        default=first,
    )
    filtered = [name for run in runs for name in run.filtered]
    if not whole:
        filtered = [str(name) for name in PhaseName]
    stale = {entry.fingerprint: entry for run in runs for entry in run.stale}
    return replace(
        first,
        duration_s=sum(run.duration_s for run in runs),
        error=broken.error,
        error_kind=broken.error_kind,
        error_place=broken.error_place,
        hint=broken.hint,
        server_stderr=broken.server_stderr,
        server=reached.server,
        alias=reached.alias,
        target=reached.target,
        sections=in_order(_sections(runs, reached.tool_names)),
        notes=tuple(dict.fromkeys([*notes, *(note for run in runs for note in run.notes)])),
        seed=next((run.seed for run in runs if run.seed is not None), None),
        started=min(run.started for run in runs),
        shard=None,
        interrupted=next((run.interrupted for run in runs if run.interrupted is not None), None),
        filtered=tuple(dict.fromkeys(filtered)),
        stale=tuple(stale.values()),
        only_new=any(run.only_new for run in runs),
    )


def _sections(runs: Sequence[RunReport], tools: Sequence[str]) -> list[Section]:
    by_phase: dict[PhaseName, list[Section]] = {}
    for run in runs:
        for section in run.sections:
            by_phase.setdefault(section.phase, []).append(section)
    return [joined(sections, tools) for sections in by_phase.values()]
