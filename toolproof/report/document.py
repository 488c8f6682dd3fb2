"""A run's report as a JSON document, and back (reports.md, section 6)."""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, cast

from toolproof.errors import ConfigError
from toolproof.report.bench import BenchSection
from toolproof.report.checks import CheckSection, ProtocolSection, RuleCard
from toolproof.report.collection import AnyReport, Collection
from toolproof.report.document_shape import (
    VERSION,
    CollectionDocument,
    FuzzDocument,
    PhaseDocument,
    RuleDocument,
    RunDocument,
    ServerDocument,
    TokenDocument,
)
from toolproof.report.fuzz import FuzzSection
from toolproof.report.record_schema import record_schema
from toolproof.report.records import Dump, Key, Load, Mismatch, dumper, keys_of, loader
from toolproof.report.run import ErrorKind, RunReport
from toolproof.report.section import PhaseName, Section, Severity
from toolproof.report.server import ServerInfo, Tool
from toolproof.report.tests import ToolTestSection
from toolproof.report.totals import totals_by_phase
from toolproof.report.values import json_of, plain

SCHEMA_URL = "https://raw.githubusercontent.com/toolproof/toolproof/main/docs/report.schema.json"

_NEVER = "never"
_SECTIONS: Mapping[PhaseName, type[Any]] = {
    section.phase: section
    for section in (CheckSection, ProtocolSection, ToolTestSection, BenchSection, FuzzSection)
}
# what stands elsewhere in the document; all other fields of a section go to `sections[].more`
_ELSEWHERE = frozenset(
    {"duration_s", "places", "probes", "problems", "results", "rules", "seed", "tools"}
)
_CHARACTERS_A_TOKEN = 4


def run_document(report: AnyReport) -> dict[str, Any]:
    """The document of a run, or of a collection of them."""
    if isinstance(report, Collection):
        document = CollectionDocument(
            schema_version=VERSION,
            toolproof=next((run.toolproof_version for run in report.reports), ""),
            passed=report.passed,
            outcome=cast("Any", report.outcome),
            exit_code=report.exit_code,
            duration_s=report.duration_s,
            totals=totals_by_phase(report),
            reports=tuple(_run(run) for run in report.reports),
        )
        return cast("dict[str, Any]", dumper(CollectionDocument)(document))
    return cast("dict[str, Any]", dumper(RunDocument)(_run(report)))


def inspect_document(report: AnyReport, info: ServerInfo | None = None) -> dict[str, Any]:
    """The document of `inspect`: that of the run, and all that the server lists, as it was sent."""
    if isinstance(report, Collection):
        whole = run_document(report)
        return {**whole, "reports": [inspect_document(run) for run in report.reports]}
    info = info or report.server or ServerInfo()
    raws = [tool.raw for tool in info.tools]
    weights = [(tool.label, _tokens(tool.raw)) for tool in info.tools]
    exact = {str(index): json_of(raw) for index, raw in enumerate(raws) if not plain(raw)[1]}
    document = dataclasses.replace(
        _run(report),
        tools=tuple(raws),
        tools_exact=exact or None,
        resources=tuple(entry.raw for entry in info.resources),
        resource_templates=tuple(entry.raw for entry in info.resource_templates),
        prompts=tuple(entry.raw for entry in info.prompts),
        protocol=info.protocol,
        capabilities=dict(info.capabilities),
        instructions=info.instructions,
        timing=info.timing,
        tokens=TokenDocument(total=sum(n for _, n in weights), by_tool=tuple(weights)),
    )
    return cast("dict[str, Any]", dumper(RunDocument)(document))


def load_document(document: Any, where: str | None = None) -> AnyReport:
    """The report that was written as this document.

    Args:
        document: What `json.loads` made of the file. Unknown keys are ignored.
        where: The file, for messages.

    Raises:
        ConfigError: It is no report, or one of another MAJOR version.
    """
    if not isinstance(document, dict) or not isinstance(document.get("schema_version"), str):
        raise ConfigError("it is no report of toolproof: there is no 'schema_version'", where=where)
    version = document["schema_version"]
    if version.partition(".")[0] != VERSION.partition(".")[0]:
        raise ConfigError(
            f"it is a report of format {version!r}, and this toolproof reads {VERSION!r}",
            where=where,
            hint="Write it again with this version of toolproof.",
        )
    try:
        if document.get("kind") == "collection":
            read = loader(CollectionDocument)(document)
            return Collection(tuple(_report(run) for run in read.reports))
        return _report(loader(RunDocument)(document))
    except Mismatch as exc:
        path = str(exc).removeprefix(".")
        raise ConfigError(f"it is no report of toolproof: {path}", where=where) from None


def report_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the document: `toolproof schema report`."""
    definitions: dict[str, Any] = {}
    for kind in (RunDocument, CollectionDocument):
        definitions[kind.__name__] = {}
        definitions[kind.__name__] = record_schema(kind, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_URL,
        "title": "Report of toolproof",
        "description": f"Version {VERSION}. MINOR only adds; readers ignore what they do not know.",
        "oneOf": [{"$ref": "#/$defs/RunDocument"}, {"$ref": "#/$defs/CollectionDocument"}],
        "$defs": dict(sorted(definitions.items())),
    }


def _run(report: RunReport) -> RunDocument:
    checks = next((s for s in report.sections if isinstance(s, CheckSection)), None)
    error_kind = report.error_kind if report.error is not None else None
    return RunDocument(
        schema_version=VERSION,
        toolproof=report.toolproof_version,
        passed=report.passed,
        outcome=cast("Literal['passed', 'failed', 'error']", report.outcome),
        exit_code=report.exit_code,
        fail_on=cast("Any", str(report.fail_on) if report.fail_on else _NEVER),
        error=report.error,
        started=report.started,
        duration_s=report.duration_s,
        seed=report.seed,
        shard=report.shard,
        ci=dict(report.ci) or None,
        server=_server(report),
        server_name=report.server_name,
        server_version=report.server_version,
        tool_names=tuple(report.tool_names),
        phases=tuple(report.phases),
        totals=totals_by_phase(report),
        checks=tuple(report.checks),
        tests=tuple(report.tests),
        evals=report.evals,
        bench=tuple(report.bench),
        fuzz=FuzzDocument(
            seed=report.seed if report.fuzz_seed is None else report.fuzz_seed,
            tools=tuple(report.fuzz),
        ),
        rules={card.id: _rule(card) for card in (checks.rules if checks else ())},
        error_kind=error_kind,
        error_place=report.error_place,
        hint=report.hint,
        notes=report.notes,
        sections=tuple(_phase(section) for section in report.sections),
        config_file=report.config_file,
        interrupted=report.interrupted,
        server_stderr=report.server_stderr,
        repeat=report.repeat,
        filtered=report.filtered,
        config_digest=report.config_digest,
        stale=report.stale,
        only_new=report.only_new,
        extra=report.extra,
    )


def _server(report: RunReport) -> ServerDocument:
    info = report.server
    return ServerDocument(
        name=report.label,
        reported_name=report.server_name,
        version=report.server_version,
        protocol=info.protocol if info else None,
        transport=info.transport if info else None,
        target=report.target,
        timing=info.timing if info else None,
    )


def _rule(card: RuleCard) -> RuleDocument:
    return RuleDocument(
        title=card.title,
        check=card.check,
        severity=card.severity,
        why=card.why,
        fix=card.fix,
        source=card.source,
        url=card.url,
    )


def _phase(section: Section) -> PhaseDocument:
    more = {
        key.name: dump(getattr(section, key.name)) for key, dump, _ in _more_keys(section.phase)
    }
    return PhaseDocument(
        phase=section.phase,
        duration_s=section.duration_s,
        tools=section.tools if isinstance(section, CheckSection) else None,
        places=section.places if isinstance(section, CheckSection) else None,
        probes=section.probes if isinstance(section, ProtocolSection) else None,
        more=more or None,
    )


@cache
def _more_keys(phase: PhaseName) -> Sequence[tuple[Key, Dump, Load]]:
    kind: type | None = _SECTIONS.get(phase)
    if kind is None:  # evals stand whole under their own key
        return ()
    keys = [key for key in keys_of(kind) if key.stored and key.name not in _ELSEWHERE]
    return [(key, dumper(key.hint), loader(key.hint)) for key in keys]


def _tokens(raw: Any) -> int:
    try:
        text = json.dumps(raw, ensure_ascii=False, separators=(",", ":"))
    except (RecursionError, TypeError, ValueError):
        text = json_of(raw)
    return len(text) // _CHARACTERS_A_TOKEN


def _report(read: RunDocument) -> RunReport:
    return RunReport(
        duration_s=read.duration_s,
        error=read.error,
        error_kind=read.error_kind or ErrorKind.SERVER,
        error_place=read.error_place,
        hint=read.hint,
        server=_server_info(read),
        alias=read.server.name,
        target=read.server.target,
        sections=tuple(filter(None, (_section(read, phase) for phase in read.sections))),
        fail_on=None if read.fail_on == _NEVER else Severity(read.fail_on),
        notes=read.notes,
        seed=read.seed,
        started=read.started,
        shard=read.shard,
        ci=tuple((read.ci or {}).items()),
        interrupted=read.interrupted,
        server_stderr=read.server_stderr,
        config_file=read.config_file,
        toolproof_version=read.toolproof,
        repeat=read.repeat,
        filtered=read.filtered,
        config_digest=read.config_digest,
        stale=read.stale,
        only_new=read.only_new,
        extra=read.extra,
    )


def _server_info(read: RunDocument) -> ServerInfo | None:
    if read.server.transport is None:
        return None
    tools = read.tools
    if tools is None:
        tools = tuple({} if _nameless(name) else {"name": name} for name in read.tool_names)
    return ServerInfo(
        name=read.server.reported_name,
        version=read.server.version,
        protocol=read.server.protocol or "",
        transport=read.server.transport,
        tools=tuple(Tool(raw, index) for index, raw in enumerate(tools)),
        timing=read.server.timing or ServerInfo().timing,
    )


def _nameless(label: str) -> bool:
    return label.startswith("<index ") and label.endswith(">")


def _section(read: RunDocument, phase: PhaseDocument) -> Section | None:
    if phase.phase is PhaseName.EVALS:
        return read.evals
    given: dict[str, Any] = {"duration_s": phase.duration_s}
    match phase.phase:
        case PhaseName.CHECKS:
            given |= {
                "tools": phase.tools or (),
                "places": phase.places or (),
                "problems": read.checks,
                "rules": tuple(
                    RuleCard(
                        id=rule_id,
                        **{f.name: getattr(rule, f.name) for f in dataclasses.fields(rule)},
                    )
                    for rule_id, rule in read.rules.items()
                ),
            }
        case PhaseName.PROTOCOL:
            given["probes"] = phase.probes or ()
        case PhaseName.TESTS:
            given["results"] = read.tests
        case PhaseName.BENCH:
            given["results"] = read.bench
        case PhaseName.FUZZ:
            given |= {"results": read.fuzz.tools, "seed": read.fuzz.seed or 0}
    kind = _SECTIONS[phase.phase]
    for key, _, load in _more_keys(phase.phase):
        if phase.more and key.name in phase.more:
            given[key.name] = load(phase.more[key.name])
    return cast("Section", kind(**given))
