"""What in a schema keeps inputs from being made, as findings."""

from typing import Any

import pytest

from toolproof.phases.fuzz.generate import Plan
from toolproof.phases.fuzz.schema_faults import schema_faults
from toolproof.report import Tool


def faults_of(schema: Any) -> list[tuple[str | None, str]]:
    tool = Tool({"name": "t", "inputSchema": schema})
    return [(found.rule, str(found.severity)) for found in schema_faults(tool, Plan(schema))]


def field(**schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": schema}, "required": ["a"]}


@pytest.mark.parametrize(
    ("schema", "rule", "severity"),
    [
        (field(type="strung"), "schema-invalid", "error"),
        (field(**{"$ref": "https://example.com/a.json"}), "ref-external", "error"),
        (field(**{"$ref": "#/$defs/no"}), "ref-unresolvable", "error"),
        (field(type="string", pattern="(a"), "pattern-invalid", "error"),
        (field(type="integer", minimum=3, maximum=1), "schema-unsatisfiable", "warning"),
        ({"$schema": "urn:other", "type": "object"}, "dialect-unknown", "warning"),
    ],
)
def test_a_schema_that_gives_no_inputs_is_told_with_its_rule(
    schema: Any, rule: str, severity: str
) -> None:
    assert faults_of(schema) == [(rule, severity)]


def test_a_sound_schema_has_none() -> None:
    assert faults_of(field(type="string")) == []
