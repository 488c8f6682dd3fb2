"""The schemas of published servers: no failure, and every label is true.

`schemas.json` has the definitions of 22 servers from npm and PyPI, and of the visible cases, without
their titles and descriptions.
"""

import functools
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.phases.fuzz.generate.test_any_schema import assert_labels_are_true
from toolproof.phases.fuzz.generate import Case, Plan, Stage
from toolproof.report.fuzz import InputMode

_MOST = 8
_MEMBERS = ("inputSchema", "outputSchema")
_REPAIRED = 9  # of the cases: schemas with a mistake
_CONTRADICTORY = {("cases", "list_todos"), ("cases", "set_level")}


@functools.cache
def definitions() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        Path(__file__).with_name("schemas.json").read_text(encoding="utf-8")
    )
    return found


def servers() -> list[str]:
    return sorted({entry["server"] for entry in definitions()})


def schemas_of(server: str) -> Iterator[tuple[dict[str, Any], Any]]:
    for entry in definitions():
        if entry["server"] == server:
            yield from ((entry, entry[member]) for member in _MEMBERS if member in entry)


def some_cases(plan: Plan) -> list[Case]:
    return [
        case
        for stage in Stage
        for mode in InputMode
        for case in islice(plan.cases(stage, mode), _MOST)
    ]


def test_there_are_enough_schemas_to_say_so() -> None:
    """Issue #5: 299 schemas and more."""
    assert sum(len(list(schemas_of(server))) for server in servers() if server != "cases") >= 500


@pytest.mark.parametrize("server", servers())
def test_every_schema_gives_cases_whose_labels_are_true(server: str) -> None:
    repaired = 0
    for entry, schema in schemas_of(server):
        plan = Plan(schema, seed=1)
        cases = some_cases(plan)
        modes = {case.mode for case in cases}
        if plan.problem is not None:
            repaired += 1
            continue
        expected = set() if (server, entry["name"]) in _CONTRADICTORY else set(InputMode)
        assert modes >= expected - {InputMode.INVALID}, (entry["name"], plan.notes)
        judged = [case for case in cases if not _only_format(plan, case)]
        assert_labels_are_true(schema, judged[::2])
    assert repaired == (_REPAIRED if server == "cases" else 0)


def _only_format(plan: Plan, case: Case) -> bool:
    """Whether nothing but a format is broken, which jsonschema alone does not assert."""
    if case.mode is InputMode.VALID or not isinstance(case.arguments, dict):
        return False
    return {breach.keyword for breach in plan.breaches(case.arguments)} <= {
        "format",
        "anyOf",
        "oneOf",
    }
