"""How much of what was planted a report of a fuzzer tells, and what it tells besides: pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

BUGS = Path(__file__).parent / "planted" / "bugs.json"

KINDS_OF_RULES: Mapping[str, str] = {
    "accepted-invalid": "accepted-invalid",
    "content-data": "bad-content",
    "crash": "crash",
    "hang": "hang",
    "internal-error": "internal-error",
    "invalid-utf8": "wire",
    "lone-surrogate": "wire",
    "output-mismatch": "output-schema",
    "rejected-valid": "rejected-valid",
    "response-invalid": "wire",
    "result-invalid": "bad-content",
    "secret-leak": "secret-leak",
    "stack-leak": "unhandled-exception",
    "stdout-bom": "wire",
    "stdout-pollution": "wire",
    "wrong-response-id": "wire",
}
"""A problem of a rule says the same as a finding of a kind, wherever in the report it stands."""


@dataclass(frozen=True)
class Bug:
    """One planted bug.

    Attributes:
        kinds: Kinds of findings that tell of it; the first is the plain one.
    """

    id: str
    tool: str
    kinds: tuple[str, ...]
    about: str


class Told(NamedTuple):
    """One thing that a report says."""

    tool: str
    kind: str
    mode: str
    shown: str


@dataclass(frozen=True)
class Score:
    """What a report comes to.

    Attributes:
        found: Ids of bugs, with what was told of each.
        missed: In the order of the list.
        false: What no bug of that tool explains.
        on_controls: Those of them that are on tools without a bug.
        calls: As the report counts them.
    """

    found: Mapping[str, Told]
    missed: Sequence[Bug]
    false: Sequence[Told]
    on_controls: Sequence[Told]
    calls: int


def planted(path: Path = BUGS) -> list[Bug]:
    """The bugs of the planted server."""
    entries = json.loads(path.read_text(encoding="utf-8"))
    return [
        Bug(entry["id"], entry["tool"], tuple(entry["kinds"]), entry["about"]) for entry in entries
    ]


def told(report: Mapping[str, Any]) -> Iterator[Told]:
    """All findings, for each tool that one names; and problems of rules that stand for a kind."""
    for result in tools_of(report):
        for finding in result.get("findings") or ():
            shown = f"{json.dumps(finding.get('input'))[:120]}: {str(finding.get('detail'))[:160]}"
            for tool in dict.fromkeys((result["tool"], *(finding.get("also") or ()))):
                yield Told(tool, finding["kind"], str(finding.get("mode", "")), shown)
    for entry in report.get("checks") or ():
        kind = KINDS_OF_RULES.get(entry.get("rule", ""))
        if kind is not None:
            yield Told(entry["tool"], kind, "", str(entry.get("message"))[:200])


def tools_of(report: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The fuzzed tools of a report."""
    fuzz = report.get("fuzz") or {}
    tools: Sequence[Mapping[str, Any]] = fuzz.get("tools", ()) if isinstance(fuzz, dict) else fuzz
    return tools


def score(report: Mapping[str, Any], bugs: Sequence[Bug]) -> Score:
    """Hold a report against the bugs: one is found where its tool has a finding of its kind."""
    all_told = list(told(report))
    found: dict[str, Told] = {}
    for bug in bugs:
        hits = [one for one in all_told if one.tool == bug.tool and one.kind in bug.kinds]
        if hits:
            found[bug.id] = min(hits, key=lambda hit: bug.kinds.index(hit.kind))
    explained = {(bug.tool, kind) for bug in bugs for kind in bug.kinds}
    buggy = {bug.tool for bug in bugs}
    false = [one for one in all_told if (one.tool, one.kind) not in explained]
    return Score(
        found=found,
        missed=[bug for bug in bugs if bug.id not in found],
        false=false,
        on_controls=[one for one in false if one.tool not in buggy],
        calls=sum(int(result.get("calls") or 0) for result in tools_of(report)),
    )
