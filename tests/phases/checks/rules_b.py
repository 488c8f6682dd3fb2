"""What the tests of rules on definitions share."""

from types import SimpleNamespace
from typing import Any

from toolproof.phases.checks.engine import check, raise_broken
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Evidence, listing
from toolproof.report import Problem

CONFIG = SimpleNamespace(max_description_length=1024, max_tokens=None, clients=(), ignore=())


def found(rule: str, evidence: Evidence, clients: tuple[str, ...] = ()) -> list[Problem]:
    checked = check(evidence, SimpleNamespace(**vars(CONFIG) | {"clients": clients}))
    raise_broken(checked.notes)
    return [problem for problem in checked.problems if problem.rule == rule]


def pointers(rule: str, *tools: Any) -> list[str | None]:
    return [problem.pointer for problem in found(rule, listing(*tools))]


def field(schema: Any, *required: str) -> dict[str, Any]:
    """A tool with one odd field beside a good one."""
    return sample(inputSchema=taking(*(required or ("city",)), city=CITY, x=schema))


AT_X = "/inputSchema/properties/x"
