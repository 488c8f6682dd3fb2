"""What the static checks and the protocol rules found."""

from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum
from typing import ClassVar

from toolproof.records import record
from toolproof.report.section import (
    Outcome,
    PhaseName,
    Place,
    Reason,
    Severity,
    Status,
    status_of,
    worst_first,
)

WHOLE_SERVER = "*"
"""In place of a tool's name: the list, the server, a resource, a prompt or the connection."""


class Check(StrEnum):
    """The families of rules: what a problem is about."""

    NAME = "name"
    DUPLICATE_NAME = "duplicate-name"
    DESCRIPTION = "description"
    DESCRIPTION_LENGTH = "description-length"
    INPUT_SCHEMA = "input-schema"
    REQUIRED_FIELDS = "required-fields"
    OUTPUT_SCHEMA = "output-schema"
    CLIENTS = "clients"
    QUALITY = "quality"
    ANNOTATIONS = "annotations"
    TEXT = "text"
    SIZE = "size"
    PROTOCOL = "protocol"


@record(kw_only=True)
class RuleCard:
    """What a reporter may say about a rule.

    Attributes:
        severity: The one it has unless a profile or the revision changes it.
        url: Its page.
    """

    id: str
    check: Check
    title: str
    severity: Severity
    why: str
    fix: str
    source: str
    url: str


@record(kw_only=True)
class Problem:
    """One rule broken, by one tool or by the server as a whole.

    Attributes:
        tool: The tool's name; `<index N>` for an entry without one, `*` for the whole server.
        check: The family that the rule belongs to.
        severity: error, warning or info.
        message: One line to act on: what was found, where, what is expected.
        rule: The id of the rule itself.
        pointer: A JSON pointer into the tool's definition, if it is about a part of it.
        fix: What to do about it, as an imperative sentence.
        place: Where in the source, or in toolproof.yaml.
        fingerprint: The same for the same problem in every run.
        known: Why the baseline lets it pass, if it does.
    """

    tool: str
    check: Check
    severity: Severity
    message: str
    rule: str
    pointer: str | None = None
    fix: str = ""
    place: Place | None = None
    fingerprint: str = ""
    known: str | None = None


@record(kw_only=True)
class CheckSection:
    """The problems, and the tools that were held against the rules.

    Attributes:
        tools: The label of each tool, in the order of the list.
        places: Where in the source a tool is defined, by label.
        rules: The cards of the rules that a problem names.
        asked: Whether the phase was asked for; else only what calls and the wire showed is here.
        whole: In a shard: every tool, of which `tools` are those that belong to it; else empty.
    """

    phase: ClassVar[PhaseName] = PhaseName.CHECKS

    tools: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    rules: tuple[RuleCard, ...] = ()
    places: tuple[tuple[str, Place], ...] = ()
    asked: bool = True
    whole: tuple[str, ...] = ()
    duration_s: float = 0.0

    def outcomes(self, fail_on: Severity | None) -> Sequence[Outcome]:
        """One for each tool, so that a clean one shows as passed, and one for the server's own."""
        problems_of: dict[str, list[Problem]] = {name: [] for name in self.tools}
        for problem in self.problems:
            problems_of.setdefault(problem.tool, []).append(problem)
        places = dict(self.places)
        return [
            _outcome(name, problems, fail_on, places.get(name))
            for name, problems in problems_of.items()
        ]


@record(kw_only=True)
class ProbeResult:
    """One active probe of the protocol.

    Attributes:
        name: What was asked, in words: "unknown tool", "ping".
        skipped: Why it was not sent, if it was not.
    """

    name: str
    skipped: str | None = None
    duration_ms: float | None = None


@record(kw_only=True)
class ProtocolSection:
    """The probes that were sent; what they found are problems of the check `protocol`.

    Attributes:
        whole: In a shard: the names of all probes, which the first shard sends; else empty.
    """

    phase: ClassVar[PhaseName] = PhaseName.PROTOCOL

    probes: tuple[ProbeResult, ...] = field(default=())
    whole: tuple[str, ...] = ()
    duration_s: float = 0.0

    def outcomes(self, fail_on: Severity | None) -> Sequence[Outcome]:  # noqa: ARG002 - Section
        return [
            Outcome(
                name=probe.name,
                status=Status.PASSED if probe.skipped is None else Status.SKIPPED,
                reasons=()
                if probe.skipped is None
                else (Reason(message=probe.skipped, severity=Severity.INFO),),
                duration_ms=probe.duration_ms,
            )
            for probe in self.probes
        ]


def _outcome(
    name: str, problems: Sequence[Problem], fail_on: Severity | None, place: Place | None
) -> Outcome:
    reasons = worst_first([_reason(problem) for problem in problems])
    return Outcome(
        name="(server)" if name == WHOLE_SERVER else name,
        status=status_of(reasons, fail_on),
        reasons=reasons,
        place=place,
    )


def _reason(problem: Problem) -> Reason:
    return Reason(
        message=problem.message,
        severity=problem.severity,
        type=f"checks.{problem.rule}",
        rule=problem.rule,
        family=str(problem.check),
        pointer=problem.pointer,
        fix=problem.fix or None,
        place=problem.place,
        fingerprint=problem.fingerprint,
        known=problem.known,
    )
