"""Evals from several shards: counts added up, and the gates closed over all cases."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from toolproof.finish.order import in_place
from toolproof.judgement.answers import pass_hat_k, wilson
from toolproof.report import Confusion, EvalCaseResult, EvalSection


def joined_evals(sections: Sequence[EvalSection], duration_s: float) -> EvalSection:
    """One section with the cases of all, in the order of the file."""
    cases = _in_order(sections)
    correct = sum(section.correct for section in sections)
    answers = sum(section.answers for section in sections)
    low, high = wilson(correct, answers)
    costs = [section.cost_usd for section in sections if section.cost_usd is not None]
    failed = next((section for section in sections if section.error is not None), sections[0])
    return replace(
        sections[0],
        cases=cases,
        accuracy=correct / answers if answers else 0.0,
        correct=correct,
        answers=answers,
        accuracy_low=low,
        accuracy_high=high,
        pass_k=_pass_k(sections, cases),
        confusions=_confusions(sections),
        abstained=sum(section.abstained for section in sections),
        input_tokens=sum(section.input_tokens for section in sections),
        output_tokens=sum(section.output_tokens for section in sections),
        cost_usd=sum(costs) if costs else None,
        cached=sum(section.cached for section in sections),
        error=failed.error,
        hint=failed.hint,
        partial=False,
        whole=(),
        duration_s=duration_s,
    )


def _in_order(sections: Sequence[EvalSection]) -> tuple[EvalCaseResult, ...]:
    order = next((section.whole for section in sections if section.whole), ())
    cases = [case for section in sections for case in section.cases]
    return in_place(cases, order, lambda case: case.name)


def _pass_k(sections: Sequence[EvalSection], cases: Sequence[EvalCaseResult]) -> tuple[float, ...]:
    """pass^1 to pass^repeat; empty where nothing is repeated, or a shard's case lacks answers."""
    lengths = {len(section.pass_k) for section in sections if section.cases}
    if len(lengths) != 1 or lengths == {0}:
        return ()
    counts = [(sum(one.passed for one in case.trials), len(case.trials)) for case in cases]
    [repeat] = lengths
    return tuple(pass_hat_k(counts, k) for k in range(1, repeat + 1))


def _confusions(sections: Sequence[EvalSection]) -> tuple[Confusion, ...]:
    counted: Counter[tuple[str | None, str | None]] = Counter()
    for section in sections:
        for one in section.confusions:
            counted[one.expected, one.picked] += one.count
    rows = [
        Confusion(expected=expected, picked=picked, count=number)
        for (expected, picked), number in counted.items()
    ]
    rows.sort(key=lambda one: (-one.count, one.expected or "", one.picked or ""))
    return tuple(rows)
