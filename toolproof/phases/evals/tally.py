"""From answers to the section: scored, added up, with intervals. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolproof.config import Config, EvalsConfig
from toolproof.judgement.answers import confusions, pass_hat_k, wilson
from toolproof.phases.evals.prices import Budget
from toolproof.phases.evals.providers.provider import ProviderError, Reply
from toolproof.phases.evals.questions import Asked, label, prompts_of
from toolproof.phases.evals.score import chosen, failures
from toolproof.report import Confusion, EvalCaseResult, EvalSection, Place, Trial
from toolproof.text import count

Scored = tuple[int, Trial, dict[str, Any]]
"""The number of the case, the answer, and what it used."""


def trial_of(
    config: EvalsConfig,
    asked: Asked,
    reply: Reply | ProviderError,
    *,
    names: Mapping[str, str],
    cached: bool,
) -> Scored:
    """One answer, held against its case.

    Args:
        names: From the names that were sent to those of the server.
    """
    case, question = config.cases[asked.case], asked.question
    if isinstance(reply, ProviderError):
        trial = Trial(prompt=question.prompt, repeat=question.repeat, error=str(reply))
        return asked.case, trial, {}
    picks = [replace(pick, tool=names.get(pick.tool, pick.tool)) for pick in reply.picks]
    wrong = list(failures(case, picks))
    if reply.refused and wrong:
        wrong.insert(0, "the model declined to answer")
    pick = chosen(case, picks)
    trial = Trial(
        prompt=question.prompt,
        repeat=question.repeat,
        picked_tool=pick.tool if pick else None,
        picked_args=pick.arguments if pick else {},
        failures=tuple(wrong),
        cached=cached,
    )
    used = {"in": reply.input_tokens or 0, "out": reply.output_tokens or 0, "usd": reply.cost_usd}
    return asked.case, trial, used


def section_of(  # noqa: PLR0913, PLR0917 - the facts of one section
    config: EvalsConfig,
    whole: Config,
    scored: Sequence[Scored],
    budget: Budget | None,
    fatal: ProviderError | None,
    place: Place | None,
) -> EvalSection:
    """Add the answers up."""
    by_case: dict[int, list[Trial]] = {}
    for number, trial, _ in scored:
        by_case.setdefault(number, []).append(trial)
    cases = tuple(_case(config, whole, number, trials) for number, trials in by_case.items())
    trials = [trial for _, trial, _ in scored]
    answered = [trial for trial in trials if trial.error is None]
    correct = sum(trial.passed for trial in trials)
    low, high = wilson(correct, len(trials))
    expected = {number: config.cases[number].expect_tool for number in by_case}
    pairs = [
        (expected[number], trial.picked_tool)
        for number, trial, _ in scored
        if trial.error is None and not trial.passed
    ]
    error, hint = _error(fatal, trials, answered)
    cost = None
    if budget is not None and (budget.prices is not None or budget.spent):
        cost = budget.spent
    return EvalSection(
        provider=config.provider or "command",
        model=config.model or " ".join(config.command or ()),
        min_accuracy=config.min_accuracy,
        min_accuracy_lower=config.min_accuracy_lower,
        cases=cases,
        accuracy=correct / len(trials) if trials else 0.0,
        correct=correct,
        answers=len(trials),
        accuracy_low=low,
        accuracy_high=high,
        pass_k=_pass_k(config, by_case),
        confusions=tuple(
            Confusion(expected=wanted, picked=picked, count=number)
            for wanted, picked, number in confusions(pairs)
        ),
        abstained=sum(
            trial.picked_tool is None and expected[number] is not None
            for number, trial, _ in scored
            if trial.error is None
        ),
        input_tokens=sum(used.get("in", 0) for _, _, used in scored),
        output_tokens=sum(used.get("out", 0) for _, _, used in scored),
        cost_usd=cost,
        cached=sum(trial.cached for trial in trials),
        error=error,
        hint=hint,
        place=place,
    )


def _error(
    fatal: ProviderError | None, trials: Sequence[Trial], answered: Sequence[Trial]
) -> tuple[str | None, str | None]:
    """Why the cases could not all be judged, if so."""
    if fatal is not None:
        return str(fatal), fatal.hint
    if trials and not answered:
        return f"no question was answered; the first: {trials[0].error}", None
    return None, None


def _case(
    config: EvalsConfig, whole: Config, number: int, trials: Sequence[Trial]
) -> EvalCaseResult:
    case = config.cases[number]
    wrong = [trial for trial in trials if not trial.passed]
    shown = wrong[0] if wrong else trials[0]
    messages = list(shown.failures) if shown.error is None else [f"no answer: {shown.error}"]
    if len(trials) > 1 and wrong:
        messages[-1] += f" ({count(len(wrong), 'answer')} of {len(trials)} wrong)"
    found = whole.place("evals", "cases", number)
    return EvalCaseResult(
        name=label(case),
        prompt=shown.prompt or prompts_of(case)[0],
        expect_tool=case.expect_tool,
        expect_args={
            name: matcher.model_dump(exclude_unset=True, by_alias=True)
            for name, matcher in (case.expect_args or {}).items()
        },
        picked_tool=shown.picked_tool,
        picked_args=shown.picked_args,
        failures=tuple(messages) if wrong else (),
        cached=all(trial.cached for trial in trials),
        trials=tuple(trials),
        place=Place(file=found[0], line=found[1]) if found else None,
    )


def _pass_k(config: EvalsConfig, by_case: Mapping[int, Sequence[Trial]]) -> tuple[float, ...]:
    """pass^1 to pass^repeat; empty where nothing is repeated, or a case lacks answers."""
    if config.repeat < 2 or not by_case:
        return ()
    counts = [(sum(t.passed for t in trials), len(trials)) for trials in by_case.values()]
    if any(n < config.repeat for _, n in counts):
        return ()
    return tuple(pass_hat_k(counts, k) for k in range(1, config.repeat + 1))
