"""The report of a whole run: sections inside, derived views outside."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeVar

from toolproof.records import record
from toolproof.report.bench import BenchResult, BenchSection
from toolproof.report.checks import CheckSection, Problem
from toolproof.report.evals import EvalSection
from toolproof.report.fuzz import FuzzResult, FuzzSection
from toolproof.report.section import Outcome, PhaseName, Place, Reason, Section, Severity, Status
from toolproof.report.server import ServerInfo
from toolproof.report.stale import GROUP, StaleEntry, stale_outcomes
from toolproof.report.tests import ToolTestResult, ToolTestSection

_Kind = TypeVar("_Kind")


class ErrorKind(StrEnum):
    """What ended a run early: the names of the outcome that then stands in every report."""

    CONFIG = "config"
    SERVER = "server start"
    INTERNAL = "internal error"


_CODES = {ErrorKind.CONFIG: 2, ErrorKind.SERVER: 3, ErrorKind.INTERNAL: 4}


@record
class Note:
    """What is worth saying but no problem: shown, never failing.

    Attributes:
        subject: The tool it is about, or None.
    """

    message: str
    subject: str | None = None


@dataclass(frozen=True, kw_only=True)
class RunReport:
    """Everything a run found.

    Reporters read `groups`, where every phase looks alike. Users read the views below, which are
    also the keys of the JSON report: each is a fresh list of frozen records.

    Attributes:
        error: Why the server could not be reached, with its stderr; None if it was.
        duration_s: Wall-clock time of the run, in seconds.
        notes: What is worth saying and fails nothing.
        error_kind: Internal; which exit code an error means.
        hint: Internal; what to do about the error.
        server: Internal; what the server says of itself, where it was reached.
        alias: Internal; the server's name in toolproof.yaml, else what it reports.
        target: Internal; the command or the URL, masked.
        sections: Internal; one for each phase that ran, in the order of `PhaseName`.
        fail_on: Internal; the lowest severity that fails; None is `never`.
        seed: The seed of the run's random choices, if there were any.
        started: UTC, `YYYY-MM-DDTHH:MM:SSZ`.
        ci: name, sha, run_url, repository_url, where a CI was recognised.
        repeat: Internal; the one command that repeats what failed, where the caller knows it.
        filtered: Internal; phases that the config asks for and of which not everything ran.
        config_digest: Internal; the same for all parts of one run: of what was asked for.
        stale: Internal; entries of the baseline whose problems are gone.
        only_new: Internal; whether what the baseline knows is left out of summary and SARIF.
    """

    duration_s: float
    error: str | None = None
    error_kind: ErrorKind = ErrorKind.SERVER
    error_place: Place | None = None
    hint: str | None = None
    server: ServerInfo | None = None
    alias: str | None = None
    target: str = ""
    sections: tuple[Section, ...] = ()
    fail_on: Severity | None = Severity.ERROR
    notes: tuple[Note, ...] = ()
    seed: int | None = None
    started: str = ""
    shard: str | None = None
    ci: tuple[tuple[str, str], ...] = ()
    interrupted: int | None = None
    server_stderr: str = ""
    config_file: str | None = None
    toolproof_version: str = ""
    repeat: str | None = None
    filtered: tuple[str, ...] = ()
    config_digest: str | None = None
    stale: tuple[StaleEntry, ...] = ()
    only_new: bool = False
    extra: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def judged(self) -> Sequence[tuple[str, Sequence[Outcome]]]:
        """Internal; the outcomes of each phase, and of the baseline where it has stale entries."""
        found = [(str(section.phase), self._outcomes(section)) for section in self.sections]
        return [*found, (GROUP, stale_outcomes(self.stale))] if self.stale else found

    def _outcomes(self, section: Section) -> Sequence[Outcome]:
        """A server without tools may have resources and prompts: the rules have judged those."""
        found = section.outcomes(self.fail_on)
        if found or not isinstance(section, CheckSection) or not section.asked or section.whole:
            return found
        declared = self.server.capabilities if self.server is not None else {}
        if not {"resources", "prompts"} & declared.keys():
            return found
        return [Outcome(name="(server)", status=Status.PASSED)]

    @cached_property
    def groups(self) -> Sequence[tuple[str, Sequence[Outcome]]]:
        """Internal; `judged`, and one outcome for what ended the run early or kept it from testing.

        So no reader of any format can take such a run for a green one.
        """
        ended = self._ended()
        return [*self.judged, ("toolproof", [ended])] if ended else self.judged

    def _ended(self) -> Outcome | None:
        fix, place = self.hint, self.error_place
        if self.error is not None:
            name, message = str(self.error_kind), self.error
        elif self.interrupted is not None:
            name, message = "interrupted", f"the run was ended by signal {self.interrupted}"
        elif self.verdict is Status.SKIPPED:
            name, message = str(ErrorKind.CONFIG), "nothing was tested"
            fix = (
                fix
                or "Add tests, or leave out fewer: the skipped ones are listed with their reasons."
            )
        else:
            return None
        why = Reason(message=message, fix=fix, type=f"toolproof.{name.replace(' ', '-')}")
        return Outcome(
            name=name,
            status=Status.ERRORED,
            reasons=(why,),
            place=place,
            stderr=self.server_stderr,
        )

    @cached_property
    def verdict(self) -> Status:
        """Internal; ERRORED if a run could not be done or ended, SKIPPED if nothing was tested.

        An empty shard is fine, where the whole has something in it.
        """
        if self.error is not None or self.interrupted is not None:
            return Status.ERRORED
        judged = [outcome for _, outcomes in self.judged for outcome in outcomes]
        if all(outcome.status is Status.SKIPPED for outcome in judged) and not any(
            reason.known for outcome in judged for reason in outcome.reasons
        ):
            return Status.PASSED if self._is_part_of_something else Status.SKIPPED
        if self.fail_on is None:
            return Status.PASSED
        return Status.FAILED if any(o.status.fails for o in judged) else Status.PASSED

    @property
    def _is_part_of_something(self) -> bool:
        return self.shard is not None and any(
            getattr(section, "whole", ()) for section in self.sections
        )

    @property
    def passed(self) -> bool:
        """No error, no failing check, test, benchmark, eval gate or fuzz finding; and something ran."""
        return self.verdict is Status.PASSED

    @property
    def phases(self) -> list[str]:
        """The phases that ran, in order."""
        return [
            str(section.phase)
            for section in self.sections
            if not isinstance(section, CheckSection) or section.asked
        ]

    @property
    def server_name(self) -> str | None:
        """The server's name, from its handshake."""
        return self.server.name if self.server else None

    @property
    def server_version(self) -> str | None:
        """The server's version, from its handshake."""
        return self.server.version if self.server else None

    @property
    def tool_names(self) -> list[str]:
        """Every tool that the server listed."""
        return [tool.label for tool in self.server.tools] if self.server else []

    @property
    def checks(self) -> list[Problem]:
        """Static check problems, and what the wire and the probes showed."""
        section = self._section(CheckSection)
        return list(section.problems) if section else []

    @property
    def tests(self) -> list[ToolTestResult]:
        """Test results, in the order of the file."""
        section = self._section(ToolTestSection)
        return list(section.results) if section else []

    @property
    def bench(self) -> list[BenchResult]:
        """Benchmark results, one for each target."""
        section = self._section(BenchSection)
        return list(section.results) if section else []

    @property
    def fuzz(self) -> list[FuzzResult]:
        """Fuzz results, one for each tool."""
        section = self._section(FuzzSection)
        return list(section.results) if section else []

    @property
    def fuzz_seed(self) -> int | None:
        """The seed that the fuzz phase used."""
        section = self._section(FuzzSection)
        return section.seed if section else None

    @property
    def evals(self) -> EvalSection | None:
        """Eval results, where evals ran."""
        return self._section(EvalSection)

    def _section(self, kind: type[_Kind]) -> _Kind | None:
        return next((section for section in self.sections if isinstance(section, kind)), None)

    @property
    def exit_code(self) -> int:
        """Internal; what the command ends with (reports.md, section 2)."""
        if self.interrupted is not None:
            return 128 + self.interrupted
        if self.error is not None:
            return _CODES[self.error_kind]
        return {Status.PASSED: 0, Status.FAILED: 1}.get(self.verdict, 2)

    @property
    def outcome(self) -> str:
        """Internal; the exit code as a word: passed, failed or error."""
        return {0: "passed", 1: "failed"}.get(self.exit_code, "error")

    @property
    def label(self) -> str:
        """Internal; what to call the server in headings."""
        return self.alias or self.server_name or self.target or "server"


def in_order(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections in the order of `PhaseName`."""
    order = list(PhaseName)
    return tuple(sorted(sections, key=lambda section: order.index(section.phase)))
