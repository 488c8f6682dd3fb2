"""From a schema to labelled inputs, and from a failing input to the smallest: pure, no I/O."""

from toolproof.phases.fuzz.generate.budget import within_budget
from toolproof.phases.fuzz.generate.case import ABSENT, ARGUMENTS, Case, Stage, Unmodelled
from toolproof.phases.fuzz.generate.growth import Growth, growths
from toolproof.phases.fuzz.generate.plan import Plan, case_key
from toolproof.phases.fuzz.generate.shrink import Shrinker, Shrunk, shrink
from toolproof.phases.fuzz.generate.slots import Slot, put, without

__all__ = [
    "ABSENT",
    "ARGUMENTS",
    "Case",
    "Growth",
    "Plan",
    "Shrinker",
    "Shrunk",
    "Slot",
    "Stage",
    "Unmodelled",
    "case_key",
    "growths",
    "put",
    "shrink",
    "within_budget",
    "without",
]
