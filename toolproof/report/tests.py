"""What the YAML tests found."""

from collections.abc import Sequence
from dataclasses import field
from typing import ClassVar

from toolproof.records import record
from toolproof.report.call import CallResult, ConnectionLost, TimedOut
from toolproof.report.section import Outcome, PhaseName, Place, Reason, Severity, Status


@record(kw_only=True)
class Failure:
    """One expectation that was not met.

    Attributes:
        message: What is wrong, in one line or more.
        expected: For a diff, with `got`; None where words say it all.
        known: Why the baseline lets it pass, if it does.
    """

    message: str
    expected: str | None = None
    got: str | None = None
    known: str | None = None


@record(kw_only=True)
class ToolTestResult:
    """How one test went.

    Attributes:
        name: As in the file.
        tool: The tool that was called (of a test with steps: by the step that failed, or the last).
        details: What was not met, of the last attempt.
        latency_ms: Of the last attempt's call.
        attempts: How many it took; more than 1 with a pass is flaky.
        result: The last attempt's call; None where no call was made.
        server_stderr: The server's last lines, where the test failed.
        skipped: Why it did not run, if it did not.
        repeat: The command that runs it alone.
    """

    name: str
    tool: str
    details: tuple[Failure, ...] = ()
    latency_ms: float = 0.0
    attempts: int = 1
    result: CallResult | None = None
    server_stderr: str = ""
    skipped: str | None = None
    earlier: tuple[str, ...] = ()
    repeat: str | None = None
    place: Place | None = None
    fingerprint: str = ""
    tags: tuple[str, ...] = ()

    @property
    def failures(self) -> list[str]:
        """What was not met, a message each."""
        return [failure.message for failure in self.details]

    @property
    def passed(self) -> bool:
        return not self.details and self.skipped is None

    @property
    def flaky(self) -> bool:
        """Whether it passed only after a failure."""
        return self.passed and self.attempts > 1


@record(kw_only=True)
class ToolTestSection:
    """The tests, in the order of the file.

    Attributes:
        whole: In a shard: the name of every test, of which only some belong to it; else empty.
    """

    phase: ClassVar[PhaseName] = PhaseName.TESTS

    results: tuple[ToolTestResult, ...] = field(default=())
    whole: tuple[str, ...] = ()
    duration_s: float = 0.0

    def outcomes(self, fail_on: Severity | None) -> Sequence[Outcome]:  # noqa: ARG002 - Section
        return [_outcome(test) for test in self.results]


def _outcome(test: ToolTestResult) -> Outcome:
    facts: tuple[tuple[str, str], ...] = ()
    if test.attempts > 1:
        facts = (("attempts", str(test.attempts)),)
    if test.skipped is not None:
        why = Reason(message=test.skipped, severity=Severity.INFO, type="tests.skipped")
        return Outcome(
            name=test.name, status=Status.SKIPPED, reasons=(why,), facts=facts, place=test.place
        )
    reasons = tuple(
        Reason(
            message=failure.message,
            type=_kind(test),
            expected=failure.expected,
            got=failure.got,
            repeat=test.repeat,
            fingerprint=test.fingerprint,
            known=failure.known,
        )
        for failure in test.details
    )
    status = Status.FAILED if reasons else Status.PASSED
    if reasons and all(reason.known is not None for reason in reasons):
        status = Status.SKIPPED
    if test.flaky:
        flaky = f"flaky: passed at attempt {test.attempts}; before: {'; '.join(test.earlier)}"
        reasons = (Reason(message=flaky, severity=Severity.INFO, type="tests.flaky"),)
    return Outcome(
        name=test.name,
        status=status,
        reasons=reasons,
        facts=facts,
        place=test.place,
        duration_ms=test.latency_ms,
        stderr=test.server_stderr if reasons else "",
    )


def _kind(test: ToolTestResult) -> str:
    match test.result.reply if test.result else None:
        case TimedOut():
            return "tests.timeout"
        case ConnectionLost():
            return "tests.crash"
        case _:
            return "tests.failed"
