"""Phase `checks`: rules over the tool list, over what calls gave, and over what the wire saw.

It calls nothing itself: it judges once the server is stopped, as the wire sees things until then.
"""

import gc
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from toolproof.config import Config
from toolproof.connection.observations import ObservationLog
from toolproof.phases.phase import Phase, PhaseContext
from toolproof.report import CallSeen, CheckSection, Note, PhaseName, ServerInfo, Severity
from toolproof.text import one_line


def _configured(config: Config) -> bool:
    return config.checks.enabled


def _validate(config: Config) -> None:
    if config.checks.ignore:  # else nothing needs the rules before the server is started
        from toolproof.phases.checks.engine import refuse_unknown_names

        refuse_unknown_names(config.checks)


def _prepare() -> None:
    from toolproof.phases.checks.rules import all_rules
    from toolproof.schemas import warm_up

    all_rules()
    warm_up()


def judge(
    config: Config,
    *,
    info: ServerInfo | None,
    log: ObservationLog,
    calls: Sequence[CallSeen],
    asked: bool,
) -> tuple[CheckSection | None, list[Note]]:
    """Hold everything that was seen against every rule.

    Args:
        config: Its `checks` section says what counts.
        info: What the server listed; None where it was never reached.
        log: What the wire saw.
        calls: What phases called.
        asked: Whether the phase was asked for. If not, definitions are left out, and there is no
            section where nothing was found: what calls and the wire show counts in every phase.
    """
    from toolproof.phases.checks.engine import check
    from toolproof.phases.checks.rule import Evidence

    began = time.perf_counter()
    listed = info if info is not None and asked else ServerInfo()
    evidence = Evidence(
        entries=[tool.raw for tool in listed.tools],
        resources=[entry.raw for entry in listed.resources],
        resource_templates=[entry.raw for entry in listed.resource_templates],
        prompts=[entry.raw for entry in listed.prompts],
        revision=info.protocol if info else "",
        transport=info.transport if info else "stdio",
        server_name=info.name if info else None,
        observations=log,
        calls=calls,
    )
    with _uncollected():
        problems, notes, cards = check(evidence, config.checks, server=config.server_alias)
    if not problems and not asked:
        return None, notes
    if any(problem.rule in _TYPED and problem.severity is Severity.ERROR for problem in problems):
        notes += _second_opinion(evidence.entries, evidence.revision)
    section = CheckSection(
        tools=tuple(tool.label for tool in listed.tools),
        problems=tuple(problems),
        rules=tuple(cards),
        asked=asked,
        duration_s=time.perf_counter() - began,
    )
    return section, notes


@contextmanager
def _uncollected() -> Iterator[None]:
    """No collection of garbage while inside: rules make many small records and no cycles, and on a
    list of 2,000 tools a quarter of the time went into looking for some.
    """  # noqa: D205 - one sentence
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


_TYPED = frozenset(
    {
        "definition-invalid",
        "input-schema-root",
        "list-result-invalid",
        "name-empty",
        "output-schema-root",
        "schema-invalid",
    }
)
"""Rules on what typed clients refuse: where one is broken, the SDK is asked what it makes of it."""


def _second_opinion(entries: Sequence[Any], revision: str) -> list[Note]:
    from toolproof.connection.sdk import refused_tools

    refusals = refused_tools(entries, revision)
    if not refusals:
        return []
    words = "; ".join(one_line(told) for told in refusals)
    return [Note(f"clients on the official Python SDK lose the whole list: it refuses {words}")]


async def _run(context: PhaseContext) -> CheckSection:
    section, notes = judge(
        context.config, info=context.info, log=context.log, calls=context.calls, asked=True
    )
    context.notes.extend(notes)
    return section or CheckSection(tools=())


PHASE = Phase(PhaseName.CHECKS, _configured, _run, _prepare, validate=_validate, at_end=True)
