"""Ask every question, score the answers, add them up."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import anyio

from toolproof.config import EvalsConfig
from toolproof.phases.evals.cache import Cache, key_of
from toolproof.phases.evals.prices import Budget
from toolproof.phases.evals.providers import Provider, provider_of
from toolproof.phases.evals.providers.provider import ProviderError, Reply
from toolproof.phases.evals.questions import Asked, label, questions, tools_to_send, warnings_about
from toolproof.phases.evals.tally import Scored, section_of, trial_of
from toolproof.phases.phase import PhaseContext
from toolproof.report import EvalSection, PhaseName, Place
from toolproof.text import count

AT_ONCE = 4
"""Questions in flight: enough to be quick, few enough for a small rate limit."""
TRIES = 5
"""Of one question that the provider's servers could not answer."""
LONGEST_PAUSE_S = 30.0


@dataclass(slots=True)
class _Asking:
    """What the questions of a run share."""

    config: EvalsConfig
    cache: Cache
    names: dict[str, str]
    budget: Budget | None = None
    provider: Provider | None = None
    fatal: ProviderError | None = None
    replies: dict[int, Reply | ProviderError] = field(default_factory=dict)
    cached: set[int] = field(default_factory=set)


async def run_evals(context: PhaseContext) -> EvalSection:
    """Ask the model every prompt; what keeps it from answering is in the section, never raised."""
    config = context.config.evals or EvalsConfig()
    began = time.perf_counter()
    found = context.config.place("evals")
    place = Place(file=found[0], line=found[1]) if found else None
    sent = tools_to_send(config, context.tools)
    context.notes.extend(sent.notes)
    context.notes.extend(warnings_about(config, context.tools))
    options = context.options
    asked = list(
        questions(
            config,
            sent,
            options.seed or 0,
            lambda case: options.owns(PhaseName.EVALS, label(case)),
        )
    )
    whole = tuple(map(label, config.cases)) if options.shard is not None else ()
    read = config.cache and not options.phase_options.get("no_cache", False)
    asking = _Asking(
        config, Cache(context.config.base_dir / config.cache_dir, read=read), dict(sent.names)
    )

    def section() -> EvalSection:
        trials = _trials(asking, asked)
        done = section_of(config, context.config, trials, asking.budget, asking.fatal, place)
        return replace(
            done,
            duration_s=time.perf_counter() - began,
            partial=options.shard is not None,
            whole=whole,
        )

    context.partial[PhaseName.EVALS] = section
    _replay(asking, asked)
    missing = [i for i in range(len(asked)) if i not in asking.replies]
    if missing:
        await _ask_all(context, asking, asked, missing)
    return section()


def _replay(asking: _Asking, asked: Sequence[Asked]) -> None:
    """Take from the cache what is there."""
    for index, one in enumerate(asked):
        reply = asking.cache.get(key_of(asking.config, one.question))
        if reply is not None:
            asking.replies[index] = reply
            asking.cached.add(index)


async def _ask_all(
    context: PhaseContext, asking: _Asking, asked: Sequence[Asked], missing: Sequence[int]
) -> None:
    try:
        asking.provider = provider_of(asking.config, context.config.base_dir)
        asking.budget = Budget.of(asking.config, asking.provider.most_output_tokens)
    except ProviderError as error:
        why = asking.cache.why_missing(key_of(asking.config, asked[missing[0]].question))
        asking.fatal = ProviderError(
            f"{error}; {count(len(missing), 'answer')} of {len(asked)} must be asked for: {why}",
            hint=error.hint,
            fatal=True,
        )
        return
    queue = iter(missing)
    provider = asking.provider

    async def work() -> None:
        for index in queue:
            if asking.fatal is not None:
                return
            context.options.progress(
                len(asking.replies), len(asked), f"evals: {asked[index].question.prompt}"
            )
            try:
                asking.replies[index] = await _ask(asking, provider, asked[index])
            except ProviderError as error:
                if error.fatal:
                    asking.fatal = error
                    return
                asking.replies[index] = error

    try:
        async with anyio.create_task_group() as group:
            for _ in range(min(AT_ONCE, len(missing))):
                group.start_soon(work)
    finally:
        with anyio.CancelScope(shield=True), anyio.move_on_after(5):
            await provider.close()


async def _ask(asking: _Asking, provider: Provider, asked: Asked) -> Reply:
    """One answer, within the budget; asked again while that may help."""
    budget = asking.budget
    if budget is None:
        raise ProviderError("there is no budget")  # `_ask_all` makes one before it asks
    for attempt in range(1, TRIES + 1):
        reserved = budget.reserve(asked.question)
        reply: Reply | None = None
        charged = False
        try:
            reply = await provider.ask(asked.question)
        except ProviderError as error:
            charged = error.charged
            if not error.again or attempt == TRIES:
                if attempt > 1:
                    words = f"{error} ({attempt} tries)"
                    raise ProviderError(words, hint=error.hint, fatal=error.fatal) from error
                raise
            jitter = 1 + random.random() / 4  # noqa: S311 - so that questions do not knock together
            await anyio.sleep(min(error.pause_s(attempt) * jitter, LONGEST_PAUSE_S))
        finally:
            budget.settle(reserved, reply, charged=charged)
        if reply is not None:
            if asking.config.cache:
                asking.cache.put(key_of(asking.config, asked.question), reply)
            return reply
    raise ProviderError("no answer")


def _trials(asking: _Asking, asked: Sequence[Asked]) -> list[Scored]:
    """Each answer with the number of its case, scored, and what it used."""
    return [
        trial_of(
            asking.config,
            one,
            asking.replies[index],
            names=asking.names,
            cached=index in asking.cached,
        )
        for index, one in enumerate(asked)
        if index in asking.replies
    ]
