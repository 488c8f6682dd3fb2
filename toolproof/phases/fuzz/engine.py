"""Fuzz every tool that may be: sweep all, then confirm, shrink and word what was found."""

import itertools
import math
import os
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from random import Random
from typing import Any

import anyio

from toolproof.config import FuzzConfig
from toolproof.errors import ServerError
from toolproof.phases.fuzz.causes import Cause, causes_of
from toolproof.phases.fuzz.climbing import climbing_cases
from toolproof.phases.fuzz.confirm import REPLAYS, Confirmer
from toolproof.phases.fuzz.corpus import Kept, corpus_cases, read_corpus, write_corpus
from toolproof.phases.fuzz.feed import feed, harvest
from toolproof.phases.fuzz.findings import Writer
from toolproof.phases.fuzz.generate import (
    ABSENT,
    Case,
    Plan,
    Stage,
    case_key,
    within_budget,
)
from toolproof.phases.fuzz.hangs import Hangs
from toolproof.phases.fuzz.hints import Hints
from toolproof.phases.fuzz.judge import Judge, Strictness
from toolproof.phases.fuzz.lab import Lab, Limits, Station
from toolproof.phases.fuzz.notes import notes_of_run, notes_of_tool
from toolproof.phases.fuzz.pool import MOST_WORKERS, Pool, scratch_copy
from toolproof.phases.fuzz.safety import why_skipped
from toolproof.phases.fuzz.scale import scale
from toolproof.phases.fuzz.schema_faults import schema_faults
from toolproof.phases.fuzz.soak import soak
from toolproof.phases.fuzz.stateful import Stateful
from toolproof.phases.fuzz.subject import Subject
from toolproof.phases.fuzz.sweep import rest, sweep
from toolproof.phases.fuzz.verdict import Kind, verdict
from toolproof.phases.phase import PhaseContext
from toolproof.report import FuzzResult, FuzzSection, Note, PhaseName, Tool
from toolproof.report.fuzz import InputMode
from toolproof.text import one_line, shorten

MOST_SEED = 2**32
_SOAK_S = 6.0
"""For all tools together; not more than `_MOST_SOAK_S` for each."""
_MOST_SOAK_S = 0.6
_SHARE_TO_MAKE = 0.08
"""Of a tool's time: how long its inputs may take to make."""
_FEWEST = 20
"""So many inputs of each mode are made, however long they take."""
_SHARE = 0.06
"""Of a tool's time, for each of two stages."""


async def run_fuzz(context: PhaseContext) -> FuzzSection:
    """Fuzz the tools in the order of the list.

    Raises:
        ServerError: The server was lost, and does not come back.
    """
    run = _Run(context)
    context.partial[PhaseName.FUZZ] = run.section
    await run.go()
    section = run.section()
    write_corpus(run.corpus, context.config.secrets.mask_any(section.results))
    context.notes += run.notes()
    if run.lab is not None and run.lab.error is not None:
        raise run.lab.error
    return section


class _Run:
    """One run of the phase."""

    def __init__(self, context: PhaseContext) -> None:
        self._context = context
        self._config = context.config.fuzz or FuzzConfig()
        self._seed = _seed(context, self._config)
        self._began = time.perf_counter()
        kept = self._config.corpus
        self.corpus = None if kept is None else context.config.resolve(kept)
        self._skipped: dict[int, str] = {}
        self._subjects: list[Subject] = []
        self._tools = [tool for tool in context.tools if context.options.owns("fuzz", tool.label)]
        self.lab: Lab | None = None
        info = context.info
        self._writer = Writer(
            context.config,
            self._seed,
            self._config.max_examples,
            context.config.server_alias or info.name or "",
        )

    async def go(self) -> None:
        """Do the work."""
        chosen = self._choose()
        if not chosen:
            return
        scratch, remove = None, _nothing
        if self._config.scratch and not self._context.config.server.url:
            config = self._context.config
            scratch, remove = scratch_copy(config.resolve(config.server.cwd))
        try:
            async with anyio.create_task_group() as group:
                pool = Pool(self._context, group, scratch=scratch)
                try:
                    await self._with(pool, group, chosen)
                finally:
                    group.cancel_scope.cancel()
                    with anyio.CancelScope(shield=True):
                        await pool.close()
        finally:
            remove()

    def _choose(self) -> list[Tool]:
        """The tools to fuzz; of twins only the first can be called."""
        chosen: list[Tool] = []
        names: set[str] = set()
        for tool in self._tools:
            why = why_skipped(tool, self._config)
            if why is None and tool.name in names:
                why = "another tool of this name is listed before it"
            if why is None:
                names.add(tool.name)
                chosen.append(tool)
            else:
                self._skipped[tool.index] = why
        return chosen

    async def _with(self, pool: Pool, group: anyio.abc.TaskGroup, chosen: Sequence[Tool]) -> None:
        count = self._workers(len(chosen))
        stations: list[Station] = []

        async def start() -> None:
            stations.extend(Station(pool, worker) for worker in await pool.start(count))

        async with anyio.create_task_group() as starting:  # inputs are made while servers boot
            starting.start_soon(start)
            await anyio.lowlevel.checkpoint()
            await self._prepare(chosen)
        limits = Limits(
            timeout_s=self._config.timeout_ms / 1_000, max_time_s=self._config.max_time_s
        )
        self.lab = lab = Lab(
            pool,
            group,
            limits,
            self._subjects,
            Hangs(pool, limits.timeout_s),
            stations=stations,
            calls=self._context.calls,
        )
        await self._in_turns(self._subjects, lambda station, one: sweep(lab, one, station), "fuzz")
        lab.harvest = harvest(self._subjects)
        await self._in_turns(
            self._subjects,
            lambda station, one: feed(
                lab, one, station, self._config.values, self._config.max_examples
            ),
            "feed",
        )
        lab.harvest = harvest(self._subjects)
        await self._confirm(lab)
        await self._whole_server(lab)
        await lab.hangs.over()
        late = [subject for subject in self._subjects if subject.put_off]
        await self._in_turns(late, lambda station, one: rest(lab, one, station), "put off")
        await lab.hangs.over()
        if self._config.valid_must_succeed:
            _demand_success(self._subjects)
        await self._confirm(lab)

    async def _confirm(self, lab: Lab) -> None:
        await self._in_turns(
            causes_of(self._subjects, lab.traits.habits),
            lambda station, cause: Confirmer(lab, station).confirm(cause),
            "confirm",
        )

    async def _whole_server(self, lab: Lab) -> None:
        """The stages that are about state, memory and time: a small share of the time each."""
        share_s = min(
            _SOAK_S / max(len(self._subjects), 1) * len(lab.stations),
            _MOST_SOAK_S,
            _SHARE * lab.limits.max_time_s,
        )

        async def stateful(_station: Station, _subject: Subject) -> None:
            await Stateful(lab, self._seed).run()

        async def hints(_station: Station, _subject: Subject) -> None:
            await Hints(lab).run()

        async def alone(station: Station, subject: Subject) -> None:
            for stage in (soak, scale):
                left_s = lab.limits.max_time_s - subject.spent_s
                if left_s > 0:
                    await stage(lab, subject, station, min(share_s, left_s))

        first = self._subjects[0]
        work = [(stateful, first), (hints, first), *((alone, one) for one in self._subjects)]
        await self._in_turns(
            work, lambda station, one: one[0](station, one[1]), "state, memory, time"
        )

    async def _prepare(self, chosen: Sequence[Tool]) -> None:
        """Make the plans and the cases, and let the event loop run between them."""
        kept = read_corpus(self.corpus)
        config = self._config
        strictness = Strictness(
            valid_must_succeed=config.valid_must_succeed, invalid_must_fail=config.invalid_must_fail
        )
        for tool in chosen:
            mixed = f"{self._seed}/{tool.name}".encode("utf-8", "surrogatepass")
            seed = Random(mixed).randrange(MOST_SEED)  # noqa: S311
            plan = Plan(tool.input_schema, seed=seed, given=config.values)
            judge = Judge(tool, plan, self._context.info.protocol, strictness)
            most_s = _SHARE_TO_MAKE * config.max_time_s
            cases = inputs_of(plan, kept.get(tool.name, ()), config.max_examples, most_s)
            subject = Subject(tool, tool.index, plan, judge, cases)
            for fault in schema_faults(tool, plan):
                subject.hit(fault, Case(ABSENT, InputMode.VALID, "the schema", Stage.COVERAGE))
            self._subjects.append(subject)
            await anyio.lowlevel.checkpoint()

    async def _in_turns(
        self,
        items: Sequence[Any],
        work: Callable[[Station, Any], Awaitable[None]],
        what: str,
    ) -> None:
        """Let each station take the next item until none is left, or the server is lost for good."""
        lab = self.lab
        if lab is None or lab.error is not None:
            return
        queue = iter(enumerate(items))

        async def at(station: Station) -> None:
            for number, item in queue:
                name = item.name if isinstance(item, Subject) else ""
                self._context.options.progress(number, len(items), f"{what} {name}".rstrip())
                try:
                    await work(station, item)
                except ServerError as error:
                    lab.error = error
                    return
                except Exception as error:  # noqa: BLE001 - a bug of ours must not cost the other tools
                    self._broke(item, error)
                if lab.error is not None:
                    return

        async with anyio.create_task_group() as working:
            for station in lab.stations:
                working.start_soon(at, station)

    def _broke(self, item: Any, error: Exception) -> None:
        """Mark the tool on which this program failed."""
        subject = item if isinstance(item, Subject) else getattr(item, "subject", None)
        words = f"{type(error).__name__}: {shorten(one_line(str(error)), 200)}"
        if subject is None:
            self._context.notes.append(Note(f"toolproof failed in a stage of the fuzzer: {words}"))
        else:
            subject.failed_inside = subject.failed_inside or words

    def _workers(self, tools: int) -> int:
        asked = self._context.options.workers or self._config.workers
        if isinstance(asked, int):
            return max(1, min(asked, tools))
        return max(1, min(os.cpu_count() or 1, tools, MOST_WORKERS))

    # What was found

    def section(self) -> FuzzSection:
        """The section, from what is known by now."""
        habits = self.lab.traits.habits if self.lab else {}
        found: dict[int, list[Cause]] = {}
        for cause in causes_of(self._subjects, habits):
            found.setdefault(cause.subject.index, []).append(cause)
        by_index = {subject.index: subject for subject in self._subjects}
        return FuzzSection(
            seed=self._seed,
            results=tuple(
                self._result(tool, by_index.get(tool.index), found.get(tool.index, ()))
                for tool in self._tools
            ),
            whole=self._all_names if self._context.options.shard else (),
            duration_s=time.perf_counter() - self._began,
        )

    @property
    def _all_names(self) -> tuple[str, ...]:
        return tuple(tool.label for tool in self._context.tools)

    def _result(self, tool: Tool, subject: Subject | None, causes: Iterable[Cause]) -> FuzzResult:
        if subject is None:
            why = self._skipped.get(tool.index, "the run ended before its turn")
            return FuzzResult(tool=tool.label, skipped=why)
        return FuzzResult(
            tool=tool.label,
            calls=subject.calls,
            more_calls=subject.more_calls,
            findings=tuple(self._writer.finding(cause) for cause in causes),
            notes=tuple(shorten(one_line(note), 400) for note in notes_of_tool(subject)),
            empty=subject.never_succeeded,
            error=subject.failed_inside or None,
            duration_s=subject.spent_s,
        )

    def notes(self) -> list[Note]:
        """What is worth saying of the whole run."""
        return notes_of_run(self.lab) if self.lab else []


def inputs_of(
    plan: Plan, kept: Sequence[Kept], most: int, most_s: float = math.inf
) -> Sequence[Case]:
    """Valid ones first, earlier failures before all others, none twice, `most` of each mode.

    Fewer where they take longer to make than `most_s` seconds, half of it for each mode: only with
    thousands for a tool that has a few seconds.
    """
    earlier = list(corpus_cases(kept, plan))
    known = {case_key(case.arguments) for case in earlier}
    chosen: list[Case] = []
    for mode in (InputMode.VALID, InputMode.INVALID):
        first = [case for case in earlier if case.mode is mode]
        if mode is InputMode.VALID and plan.problem is None:
            first += climbing_cases(plan)
        first = first[: max(most // 2, 1)]
        made: dict[str, Case] = {}
        until = time.perf_counter() + most_s / 2
        for case in (*within_budget(plan, mode, max(most - len(first), 1), _over(until)), *first):
            made.setdefault(case_key(case.arguments), case)
        before = [case for key, case in made.items() if key in known]
        others = [case for key, case in made.items() if key not in known]
        chosen += [*before, *others][:most]
    return chosen


def _over(until: float) -> Callable[[], bool]:
    """Whether it is later than that, but for the first few inputs: a busy machine must not cost all."""
    asked = itertools.count()
    return lambda: next(asked) >= _FEWEST and time.perf_counter() > until


def _demand_success(subjects: Iterable[Subject]) -> None:
    """A tool of which no valid call succeeded has failed, whatever the reason."""
    for subject in subjects:
        kinds = {hit.verdict.kind for hit in subject.hits.values()}
        if subject.never_succeeded and not kinds & {Kind.UNEXPECTED_ERROR, Kind.REJECTED_VALID}:
            why = next(notes_of_tool(subject), "no valid call succeeded")
            first = next(case for case in subject.cases if case.mode is InputMode.VALID)
            found = verdict(Kind.UNEXPECTED_ERROR, why, "never succeeded")
            subject.hit(found, first, confirmed=REPLAYS)


def _seed(context: PhaseContext, config: FuzzConfig) -> int:
    """The option's, else the file's, else the one that the run has drawn."""
    given = context.options.phase_options.get("seed")
    if isinstance(given, int):
        return given
    if config.seed is not None:
        return config.seed
    if context.options.seed is not None:
        return context.options.seed
    return Random().randrange(MOST_SEED)  # noqa: S311 - it is printed, not kept secret


def _nothing() -> None:
    pass
