"""Which cases a tool gets where there may be only so many: each stage its share."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, takewhile

from toolproof.phases.fuzz.generate.case import Case, Stage
from toolproof.phases.fuzz.generate.plan import Plan, case_key
from toolproof.report.fuzz import InputMode

SHARES: Mapping[Stage, float] = {
    Stage.EXAMPLES: 0.09,
    Stage.COVERAGE: 0.4,
    Stage.DICTIONARY: 0.25,
    Stage.PAIRS: 0.16,
    Stage.RANDOM: 0.1,
}
"""What is left over by a stage that has fewer cases goes to the others, in their order."""


def within_budget(
    plan: Plan, mode: InputMode, most: int, enough: Callable[[], bool] = lambda: False
) -> list[Case]:
    """At most so many cases of a mode, none twice, in the order of the stages.

    Fewer than `most` come only where the schema allows no more that differ.

    Args:
        enough: Whether no more are to be made, as their time is over.
    """
    told: set[str] = set()
    sources = {
        stage: takewhile(lambda _: not enough(), _new(plan, stage, mode, told)) for stage in Stage
    }
    taken: dict[Stage, list[Case]] = {
        stage: list(islice(sources[stage], max(round(share * most), 1)))
        for stage, share in SHARES.items()
    }
    for stage in (Stage.COVERAGE, Stage.DICTIONARY, Stage.EXAMPLES, Stage.PAIRS, Stage.RANDOM):
        left = most - sum(map(len, taken.values()))
        if left > 0:
            taken[stage] += islice(sources[stage], left)
    return [case for stage in Stage for case in taken[stage]][:most]


def _new(plan: Plan, stage: Stage, mode: InputMode, told: set[str]) -> Iterator[Case]:
    for case in plan.cases(stage, mode):
        key = case_key(case.arguments)
        if key not in told:
            told.add(key)
            yield case
