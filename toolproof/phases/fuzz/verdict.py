"""What a call may show: the kinds of findings, how bad each is, and which rule it stands for."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from toolproof.connection.observations import Kind as Seen
from toolproof.report import Severity


class Kind(StrEnum):
    """What a well-behaved server never does (phases.md, fuzz)."""

    CRASH = "crash"
    HANG = "hang"
    INTERNAL_ERROR = "internal-error"
    UNHANDLED_EXCEPTION = "unhandled-exception"
    OUTPUT_SCHEMA = "output-schema"
    BAD_CONTENT = "bad-content"
    REJECTED_VALID = "rejected-valid"
    ACCEPTED_INVALID = "accepted-invalid"
    UNEXPECTED_ERROR = "unexpected-error"
    BAD_SCHEMA = "bad-schema"
    SECRET_LEAK = "secret-leak"  # noqa: S105 - the name of a kind
    PATH_TRAVERSAL = "path-traversal"
    WIRE = "wire"
    SLOW = "slow"
    GROWTH = "growth"
    FLAKY = "flaky"
    HINT_VIOLATION = "hint-violation"


RULES: Mapping[Kind, str] = {
    Kind.CRASH: "crash",
    Kind.HANG: "hang",
    Kind.INTERNAL_ERROR: "internal-error",
    Kind.UNHANDLED_EXCEPTION: "stack-leak",
    Kind.OUTPUT_SCHEMA: "output-mismatch",
    Kind.REJECTED_VALID: "rejected-valid",
    Kind.ACCEPTED_INVALID: "accepted-invalid",
    Kind.SECRET_LEAK: "secret-leak",
}
"""The rule that a kind stands for; bad-content, wire and bad-schema stand for several."""

SEVERITIES: Mapping[Kind, Severity] = {
    **dict.fromkeys(Kind, Severity.ERROR),
    Kind.UNHANDLED_EXCEPTION: Severity.WARNING,
    Kind.REJECTED_VALID: Severity.INFO,
    Kind.SLOW: Severity.WARNING,
    Kind.GROWTH: Severity.WARNING,
    Kind.FLAKY: Severity.WARNING,
    Kind.HINT_VIOLATION: Severity.WARNING,
}
"""Source: the rule, for what has one; phases.md for the others."""

WIRE: Mapping[Seen, tuple[str, Severity]] = {
    Seen.STDOUT_POLLUTION: ("stdout-pollution", Severity.ERROR),
    Seen.STDOUT_BOM: ("stdout-bom", Severity.ERROR),
    Seen.INVALID_UTF8: ("invalid-utf8", Severity.ERROR),
    Seen.LONE_SURROGATE: ("lone-surrogate", Severity.WARNING),
    Seen.RESPONSE_INVALID: ("response-invalid", Severity.ERROR),
    Seen.WRONG_RESPONSE_ID: ("wrong-response-id", Severity.ERROR),
    Seen.SECOND_ANSWER: ("wrong-response-id", Severity.ERROR),
}
"""What the wire sees and a finding of kind `wire` tells, with its rule."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One thing that is wrong with what a call gave.

    Attributes:
        detail: What the server said or did, in one line.
        cause: The skeleton of it: equal for the same cause, whatever the input.
        wide: Whether the same cause in another tool is the same fault: a frame, a message that
            tells something; not a bare exit code, nor a field of one tool's schema.
        rule: The id of one, for `toolproof rules ID`; None where there is none.
        trait: The habit of a whole SDK that this may be, if it may be one.
    """

    kind: Kind
    detail: str
    cause: str
    wide: bool = False
    severity: Severity = Severity.ERROR
    rule: str | None = None
    trait: str = ""

    @property
    def key(self) -> tuple[Kind, str]:
        """Equal for the same cause in one tool."""
        return self.kind, self.cause


def verdict(  # noqa: PLR0913 - the facts of one verdict
    kind: Kind,
    detail: str,
    cause: str = "",
    *,
    wide: bool = False,
    severity: Severity | None = None,
    rule: str | None = None,
    trait: str = "",
) -> Verdict:
    """A verdict with the rule and the severity of its kind, where none is given."""
    return Verdict(
        kind,
        detail,
        cause or detail,
        wide,
        SEVERITIES[kind] if severity is None else severity,
        rule or RULES.get(kind),
        trait,
    )
