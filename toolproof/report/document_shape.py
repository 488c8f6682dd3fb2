"""The shape of the JSON document: its records, and the order of their keys (reports.md, section 6)."""

from dataclasses import field
from typing import Any, Literal

from toolproof.records import record
from toolproof.report import records
from toolproof.report.bench import BenchResult
from toolproof.report.call import CallResult
from toolproof.report.call_document import CALL
from toolproof.report.checks import Check, ProbeResult, Problem
from toolproof.report.evals import EvalCaseResult, EvalSection
from toolproof.report.fuzz import FuzzFinding, FuzzResult
from toolproof.report.run import ErrorKind, Note
from toolproof.report.section import PhaseName, Place, Severity
from toolproof.report.server import Timing
from toolproof.report.stale import StaleEntry
from toolproof.report.tests import ToolTestResult
from toolproof.report.totals import Totals

VERSION = "1.0"
"""MAJOR.MINOR of the document: MINOR only adds, MAJOR changes what is there."""

records.SPECIALS[CallResult] = CALL
records.KEYS.update(
    {
        Problem: (
            *("tool", "check", "rule", "severity", "message", "pointer", "fix", "fingerprint"),
            *("place", "known"),
        ),
        ToolTestResult: (
            *("name", "tool", "passed", "skipped", "flaky", "failures", "latency_ms", "attempts"),
            *("result", "server_stderr"),
        ),
        EvalSection: (
            *("provider", "model", "accuracy", "correct", "min_accuracy", "passed", "error"),
            "cases",
        ),
        EvalCaseResult: (
            *("name", "prompt", "expect_tool", "expect_args", "picked_tool", "picked_args"),
            *("failures", "cached", "passed"),
        ),
        BenchResult: (
            *("name", "tool", "calls", "concurrency", "errors", "error_rate", "throughput"),
            *("p50_ms", "p95_ms", "p99_ms", "mean_ms", "max_ms", "failures", "passed"),
        ),
        FuzzResult: ("tool", "calls", "skipped", "findings", "passed"),
        FuzzFinding: ("kind", "mode", "input", "detail", "severity"),
    }
)


@record(kw_only=True)
class ServerDocument:
    """The server that was tested.

    Attributes:
        name: The one in toolproof.yaml, else what it reports, else its command or URL.
        reported_name: From the handshake.
        protocol: The revision that was agreed on; null where it was not reached.
        target: The command or the URL, secrets masked.
    """

    name: str
    reported_name: str | None
    version: str | None
    protocol: str | None
    transport: str | None
    target: str
    timing: Timing | None = None


@record(kw_only=True)
class RuleDocument:
    """A rule that a problem names; its key is its id."""

    title: str
    check: Check
    severity: Severity
    why: str
    fix: str
    source: str
    url: str


@record(kw_only=True)
class FuzzDocument:
    """What fuzzing found, a result per tool.

    Attributes:
        seed: Gives the same inputs again.
    """

    seed: int | None
    tools: tuple[FuzzResult, ...]


@record(kw_only=True)
class PhaseDocument:
    """What else is known of a phase that ran.

    Attributes:
        tools: Of checks: every tool that was held against the rules.
        places: Of checks: where a tool is defined.
        probes: Of protocol: what was asked of the server.
        more: What else the phase's record holds.
    """

    phase: PhaseName
    duration_s: float
    tools: tuple[str, ...] | None = field(default=None, metadata=records.OPTIONAL)
    places: tuple[tuple[str, Place], ...] | None = field(default=None, metadata=records.OPTIONAL)
    probes: tuple[ProbeResult, ...] | None = field(default=None, metadata=records.OPTIONAL)
    more: dict[str, Any] | None = field(default=None, metadata=records.OPTIONAL)


@record(kw_only=True)
class TokenDocument:
    """What the definitions cost in a model's context, estimated at 4 characters of JSON a token."""

    total: int
    by_tool: tuple[tuple[str, int], ...]


@record(kw_only=True)
class RunDocument:
    """One run against one server.

    Attributes:
        toolproof: The version that wrote it.
        outcome: passed, failed, or error where the run could not be done.
        fail_on: The lowest severity that fails; never: no problem fails.
        error: What ended the run early, if anything did; null where the run was done.
        error_kind: config, server start or internal error, with `error`.
        started: UTC.
        shard: i/n of a sharded run.
        ci: name, sha, run_url and what else was recognised of a CI.
        totals: How many outcomes of each status, by phase.
        checks: What the rules found.
        rules: The rules that problems name, by id.
        sections: What else is known of each phase that ran.
        interrupted: The number of the signal that ended the run, if one did.
        filtered: Phases that the config asks for and of which not everything ran.
        config_digest: The same for all shards of a run: of what was asked for, without the server.
        stale: Entries of the baseline whose problems are gone.
        only_new: Whether nothing but what the baseline lacks can fail.
        shortened: What was left out to keep the file small, in words.
        tools: The definitions as the server sent them; of `inspect` alone, as are those below.
    """

    schema_version: str
    toolproof: str
    kind: Literal["run"] = "run"
    passed: bool
    outcome: Literal["passed", "failed", "error"]
    exit_code: int
    fail_on: Literal["error", "warning", "info", "never"]
    error: str | None
    started: str
    duration_s: float
    seed: int | None
    shard: str | None
    ci: dict[str, str] | None
    server: ServerDocument
    server_name: str | None
    server_version: str | None
    tool_names: tuple[str, ...]
    phases: tuple[str, ...]
    totals: dict[str, Totals]
    checks: tuple[Problem, ...]
    tests: tuple[ToolTestResult, ...]
    evals: EvalSection | None
    bench: tuple[BenchResult, ...]
    fuzz: FuzzDocument
    rules: dict[str, RuleDocument]
    error_kind: ErrorKind | None = None
    error_place: Place | None = None
    hint: str | None = None
    notes: tuple[Note, ...] = ()
    sections: tuple[PhaseDocument, ...] = ()
    config_file: str | None = None
    interrupted: int | None = None
    server_stderr: str = ""
    repeat: str | None = None
    filtered: tuple[str, ...] = ()
    config_digest: str | None = None
    stale: tuple[StaleEntry, ...] = ()
    only_new: bool = False
    extra: dict[str, Any] = field(default_factory=dict)
    shortened: tuple[str, ...] | None = field(default=None, metadata=records.OPTIONAL)
    tools: tuple[Any, ...] | None = field(default=None, metadata=records.OPTIONAL)
    tools_exact: dict[str, str] | None = field(default=None, metadata=records.OPTIONAL)
    resources: tuple[Any, ...] | None = field(default=None, metadata=records.OPTIONAL)
    resource_templates: tuple[Any, ...] | None = field(default=None, metadata=records.OPTIONAL)
    prompts: tuple[Any, ...] | None = field(default=None, metadata=records.OPTIONAL)
    protocol: str | None = field(default=None, metadata=records.OPTIONAL)
    capabilities: dict[str, Any] | None = field(default=None, metadata=records.OPTIONAL)
    instructions: str | None = field(default=None, metadata=records.OPTIONAL)
    timing: Timing | None = field(default=None, metadata=records.OPTIONAL)
    tokens: TokenDocument | None = field(default=None, metadata=records.OPTIONAL)


@record(kw_only=True)
class CollectionDocument:
    """Several runs: of several servers, or of merged shards."""

    schema_version: str
    toolproof: str
    kind: Literal["collection"] = "collection"
    passed: bool
    outcome: Literal["passed", "failed", "error"]
    exit_code: int
    duration_s: float
    totals: dict[str, Totals]
    reports: tuple[RunDocument, ...]
