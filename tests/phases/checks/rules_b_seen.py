"""What the tests of rules on the protocol share."""

from types import SimpleNamespace

from toolproof.phases.checks.engine import check, raise_broken
from toolproof.phases.checks.rule import Evidence
from toolproof.report import Problem

CONFIG = SimpleNamespace(max_description_length=1024, max_tokens=None, clients=(), ignore=())
NEWEST = "2026-07-28"
JS_STACK = (
    "TypeError: x is not a function\n"
    "    at Object.run (/srv/app/dist/echo.js:41:17)\n"
    "    at processTicksAndRejections (node:internal/process/task_queues:105:5)"
)


def problems(evidence: Evidence) -> list[Problem]:
    checked = check(evidence, CONFIG)
    raise_broken(checked.notes)
    return checked.problems


def told(evidence: Evidence) -> list[tuple[str, str]]:
    """Tool and rule of each problem."""
    return [(problem.tool, problem.rule) for problem in problems(evidence)]


def only(evidence: Evidence) -> Problem:
    [problem] = problems(evidence)
    return problem
