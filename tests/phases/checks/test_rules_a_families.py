"""The seven fixed families. Source: the table of static checks that users know."""

from typing import Any

import pytest

from tests.phases.checks.rules_a import flaws, of_schema, pointers, problems
from toolproof.phases.checks.examples import sample, taking
from toolproof.phases.checks.rule import Evidence, Limits
from toolproof.report import Check, Severity

TABLE = {
    "name": (Severity.ERROR, "A tool with an empty name.", "name-empty"),
    "duplicate-name": (Severity.ERROR, "Two tools with the same name.", "duplicate-name"),
    "description": (
        Severity.ERROR,
        "A tool with no description. Clients and models pick tools by their descriptions.",
        "description-missing",
    ),
    "description-length": (
        Severity.WARNING,
        "A description longer than checks.max_description_length (default 1024 characters).",
        "description-length",
    ),
    "input-schema": (
        Severity.ERROR,
        "An input schema that isn't valid JSON Schema (draft 2020-12), or whose root isn't type: object.",
        "input-schema-root",
    ),
    "required-fields error": (
        Severity.ERROR,
        "required names a field that isn't in properties, so a valid call is impossible to build from the schema.",
        "required-undeclared",
    ),
    "required-fields warning": (
        Severity.WARNING,
        "The schema has properties but none are required. Often fine, sometimes a forgotten required list.",
        "required-none",
    ),
    "output-schema": (
        Severity.ERROR,
        "An outputSchema that isn't valid JSON Schema.",
        "schema-invalid",
    ),
}
OBJECT = {"type": "object", "additionalProperties": False}
BROKEN: dict[str, list[Any]] = {
    "name": [sample("")],
    "duplicate-name": [sample("a"), sample("a", description="Counts the stars over a city.")],
    "description": [{"name": "a", "inputSchema": OBJECT, "annotations": {"readOnlyHint": True}}],
    "description-length": [sample(description="word " * 205)],
    "input-schema": [sample(inputSchema={"type": "array", "items": {"type": "string"}})],
    "required-fields error": [sample(inputSchema=taking("city", "day", city={"type": "string"}))],
    "required-fields warning": [
        sample(inputSchema={"type": "object", "properties": {"city": {"type": "string"}}})
    ],
    "output-schema": [sample(outputSchema={"type": "object", "properties": []})],
}


@pytest.mark.parametrize("row", TABLE)
def test_each_row_of_the_table_is_one_problem_of_its_family(row: str) -> None:
    severity, _, rule = TABLE[row]

    found = problems(Evidence(entries=BROKEN[row]))
    found = [problem for problem in found if problem.severity is not Severity.INFO]

    assert [(p.check, p.severity, p.rule) for p in found] == [
        (Check(row.partition(" ")[0]), severity, rule)
    ]


@pytest.mark.parametrize(
    ("entry", "pointer", "said"),
    [
        ({}, None, "the tool has no name"),
        ({"name": ""}, "/name", "the name is ''"),
        ({"name": " \t\u3000"}, "/name", "the name is"),
        ({"name": None}, "/name", "of type null"),
        ({"name": True}, "/name", "of type boolean"),
        ({"name": ["a"]}, "/name", "of type array"),
        (None, None, "the entry is null"),
        ("tool", None, "the entry is 'tool'"),
        ([], None, "the entry is []"),
    ],
)
def test_an_entry_without_a_usable_name_is_told_by_its_index(
    entry: Any, pointer: str | None, said: str
) -> None:
    found = flaws("name-empty", {"name": "good"}, entry)

    assert [(flaw.tool, flaw.pointer) for flaw in found] == [("<index 1>", pointer)]
    assert said in found[0].message


@pytest.mark.parametrize("name", ["a", " a", "é", "0", "\u200b"])
def test_any_other_name_is_one(name: str) -> None:
    assert flaws("name-empty", {"name": name}) == []


def test_a_name_that_comes_often_is_one_problem_with_all_places() -> None:
    names = ["a", "b", "a", "A", "a", "", "", " a"]
    found = flaws("duplicate-name", *[{"name": name} for name in names])

    assert [flaw.tool for flaw in found] == ["a"]
    assert "3 tools" in found[0].message
    assert "0, 2, 4" in found[0].message


@pytest.mark.parametrize(
    ("description", "count"),
    [("", 1), ("  \n", 1), ("x", 0), (5, 0), (["a"], 0), (None, 1), ({}, 0)],
)
def test_only_a_blank_description_or_null_is_missing(description: Any, count: int) -> None:
    """Ours: what is of another type is told by definition-invalid alone."""
    assert len(flaws("description-missing", {"name": "a", "description": description})) == count


def test_an_absent_description_is_missing_but_an_entry_that_is_no_object_has_other_troubles() -> (
    None
):
    assert [flaw.message for flaw in flaws("description-missing", {"name": "a"})] == [
        "tool has no description"
    ]
    assert flaws("description-missing", None, "a", 5) == []


@pytest.mark.parametrize(
    ("length", "limit", "said"),
    [
        (1024, 1024, None),
        (1025, 1024, "1,025 characters, expected at most 1,024; OpenAI refuses more than 1,024"),
        (2048, 1024, "2,048 characters, expected at most 1,024; OpenAI refuses more than 1,024"),
        (2049, 1024, "Claude Code shows the model only the first 2,048"),
        (500, 400, "500 characters, expected at most 400"),
        (1500, 2000, None),
    ],
)
def test_a_description_has_its_limit(length: int, limit: int, said: str | None) -> None:
    entry = {"name": "a", "description": "x" * length}
    found = flaws("description-length", entry, limits=Limits(max_description_length=limit))

    assert bool(found) is (said is not None)
    assert all((said or "") in flaw.message for flaw in found)


def test_a_description_that_openai_takes_is_no_error_for_it() -> None:
    short = Evidence(
        entries=[{"name": "a", "description": "x" * 500}], limits=Limits(max_description_length=400)
    )
    long = Evidence(entries=[{"name": "a", "description": "x" * 1500}])

    for evidence, severity in ((short, Severity.WARNING), (long, Severity.ERROR)):
        found = problems(evidence, clients=["openai"])
        assert {p.severity for p in found if p.rule == "description-length"} == {severity}


@pytest.mark.parametrize(
    ("schema", "pointer", "said"),
    [
        (None, "/inputSchema", "inputSchema is null"),
        ("oops", "/inputSchema", "inputSchema is 'oops'"),
        (True, "/inputSchema", "inputSchema is true"),
        ([], "/inputSchema", "inputSchema is []"),
        ({}, "/inputSchema", "has no type at its root"),
        ({"$ref": "#/$defs/a"}, "/inputSchema", "has no type at its root"),
        ({"type": "string"}, "/inputSchema/type", "is 'string'"),
        ({"type": ["object"]}, "/inputSchema/type", 'is ["object"]'),
        ({"type": ["object", "null"]}, "/inputSchema/type", 'is ["object", "null"]'),
        ({"type": "Object"}, "/inputSchema/type", "is 'Object'"),
        ({"type": None}, "/inputSchema/type", "is null"),
    ],
)
def test_the_root_of_the_input_schema_is_an_object(schema: Any, pointer: str, said: str) -> None:
    found = of_schema("input-schema-root", schema)

    assert [flaw.pointer for flaw in found] == [pointer]
    assert said in found[0].message
    assert found[0].message.endswith("typed clients drop the whole list")


def test_a_missing_input_schema_is_told_without_a_pointer_to_nothing() -> None:
    assert [flaw.pointer for flaw in flaws("input-schema-root", {"name": "a"})] == [None]
    assert flaws("input-schema-root", None, {"inputSchema": {"type": "object"}}) == []


@pytest.mark.parametrize(
    ("schema", "pointer", "said", "fix"),
    [
        (
            {"properties": {"ttl": {"minimum": 0, "exclusiveMinimum": True}}},
            "/inputSchema/properties/ttl/exclusiveMinimum",
            "exclusiveMinimum at /inputSchema/properties/ttl/exclusiveMinimum: found true, expected a number (2020-12)",
            "Write the bound itself in exclusiveMinimum, in place of minimum and true.",
        ),
        (
            {"exclusiveMaximum": False},
            "/inputSchema/exclusiveMaximum",
            "found false, expected a number",
            "Leave exclusiveMaximum out",
        ),
        (
            {"items": [{"type": "integer"}]},
            "/inputSchema/items",
            "items at /inputSchema/items: found",
            "Write prefixItems",
        ),
        ({"properties": []}, "/inputSchema/properties", "found [], expected an object", "Write {}"),
        ({"required": None}, "/inputSchema/required", "found null", "Write a list of names"),
        ({"required": False}, "/inputSchema/required", "found false", "Write a list of names"),
        ({"properties": {"a": {"type": "strng"}}}, "/inputSchema/properties/a/type", "found 'strng'", "Use one of array"),
        ({"title": None}, "/inputSchema/title", "found null, expected a string", "Leave title out"),
        ({"minLength": -1}, "/inputSchema/minLength", "found -1, expected an integer from 0", None),
    ],
)  # fmt: skip
def test_an_invalid_schema_is_told_with_keyword_place_and_fix(
    schema: Any, pointer: str, said: str, fix: str | None
) -> None:
    (flaw,) = of_schema("schema-invalid", {"type": "object", **schema})

    assert flaw.pointer == pointer
    assert flaw.check is Check.INPUT_SCHEMA
    assert said in flaw.message
    assert (flaw.fix or "").startswith(fix or "")
    assert (fix is None) is (flaw.fix is None)


@pytest.mark.parametrize("output", [None, [], "x", 5, True])
def test_an_output_schema_that_is_no_object_is_invalid(output: Any) -> None:
    (flaw,) = flaws("schema-invalid", {"name": "a", "outputSchema": output})

    assert (flaw.pointer, flaw.check) == ("/outputSchema", Check.OUTPUT_SCHEMA)


@pytest.mark.parametrize(
    "schema",
    [
        {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 0, "exclusiveMinimum": True},
        {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{}]},
        {"$schema": "https://json-schema.org/draft/2019-09/schema", "items": [{}]},
        {"$schema": "https://example.com/mine", "type": "strng"},
        {"pattern": "("},
        {"$ref": "#/nowhere"},
        {"format": "uint32", "nullable": True},
    ],
)  # fmt: skip
def test_what_is_valid_in_its_own_dialect_is_not_invalid(schema: Any) -> None:
    assert of_schema("schema-invalid", schema) == []
    assert of_schema("schema-invalid", schema, output=True) == []


def test_each_fault_of_a_schema_is_a_problem_of_its_own() -> None:
    wrong = {"type": "object", "required": None, "properties": {"a": {"type": "x"}, "b": 5}}

    assert pointers("schema-invalid", wrong, output=True) == [
        "/outputSchema/required",
        "/outputSchema/properties/a/type",
        "/outputSchema/properties/b",
    ]


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("[a-z", "the class opened at 0 is not closed"),
        ("(?P<y>a)", "'(?P<name>' is Python's"),
        ("(?i)a", "JavaScript has no flags inside a pattern"),
        (r"\Aa\Z", "does not exist in JavaScript"),
        ("a++", "possessive"),
    ],
)
def test_a_pattern_that_is_none_is_told_with_the_reason(pattern: str, reason: str) -> None:
    found = of_schema("pattern-invalid", {"properties": {"p": {"pattern": pattern}}}, output=True)
    keyed = of_schema("pattern-invalid", {"patternProperties": {f"/{pattern}": {}}})

    assert [flaw.pointer for flaw in found] == ["/outputSchema/properties/p/pattern"]
    assert found[0].check is Check.OUTPUT_SCHEMA
    assert reason in found[0].message
    assert [flaw.check for flaw in keyed] == [Check.INPUT_SCHEMA]
    assert (keyed[0].pointer or "").startswith("/inputSchema/patternProperties/~1")


@pytest.mark.parametrize("pattern", [r"^[\w.-]+$", r"\p{L}", r"(?<n>a)", r"a\/b\-c", "", 5, None])
def test_a_pattern_of_javascript_passes_and_one_of_another_type_is_not_looked_at(
    pattern: Any,
) -> None:
    assert of_schema("pattern-invalid", {"properties": {"p": {"pattern": pattern}}}) == []
    assert of_schema("pattern-invalid", {"properties": {"pattern": {"type": "string"}}}) == []
    assert of_schema("pattern-invalid", {"enum": [{"pattern": "("}]}) == []


@pytest.mark.parametrize(
    ("schema", "named"),
    [
        ({"required": ["a"]}, "'a'"),
        ({"required": ["a", "b", "a"], "properties": {"b": {}}}, "'a'"),
        ({"required": ["a", "b"], "properties": {}}, "'a', 'b'"),
        ({"required": ["a"], "properties": [1]}, "'a'"),
        ({"required": ["a"], "additionalProperties": {"type": "string"}}, "'a'"),
        ({"required": ["a"], "patternProperties": {"^b": {}}}, "'a'"),
        ({"required": ["a"], "allOf": [{"properties": {"b": {}}}]}, "'a'"),
        ({"required": ["a"], "properties": {"o": {"properties": {"a": {}}}}}, "'a'"),
    ],
)
def test_a_required_field_that_nothing_declares_is_told(schema: Any, named: str) -> None:
    (flaw,) = of_schema("required-undeclared", {"type": "object", **schema})

    assert flaw.message == f"required fields not listed in properties: {named}"
    assert flaw.pointer == "/inputSchema/required"


@pytest.mark.parametrize(
    "schema",
    [
        {"required": ["a"], "properties": {"a": True}},
        {"required": []},
        {"required": None},
        {"required": "a"},
        {"required": [5, None]},
        {"required": ["a"], "patternProperties": {"^a": {}}},
        {"required": ["a"], "allOf": [{"properties": {"a": {}}}]},
        {"required": ["a"], "anyOf": [{"allOf": [{"properties": {"a": {}}}]}]},
        {"required": ["a"], "if": {}, "then": {"properties": {"a": {}}}},
        {"required": ["a"], "$ref": "#/$defs/x", "$defs": {"x": {"properties": {"a": {}}}}},
        {"required": ["a"], "allOf": [{"$ref": "#"}, {"$ref": "#/$defs/x"}], "$defs": {"x": {"properties": {"a": {}}}}},
        {"required": ["a"], "dependentSchemas": {"b": {"properties": {"a": {}}}}},
        {"$schema": "https://example.com/mine", "required": ["a"]},
    ],
    ids=str,
)  # fmt: skip
def test_a_field_that_some_part_declares_is_not_told(schema: Any) -> None:
    assert of_schema("required-undeclared", {"type": "object", **schema}) == []


@pytest.mark.parametrize(
    ("schema", "count"),
    [
        ({"properties": {"a": {}}}, 1),
        ({"properties": {"a": {}}, "required": []}, 1),
        ({"properties": {"a": {}}, "anyOf": [{"properties": {"b": {}}}]}, 1),
        ({"properties": {"a": {}}, "required": ["a"]}, 0),
        ({"properties": {"a": {}}, "required": None}, 0),
        ({"properties": {"a": {}}, "anyOf": [{"required": ["a"]}]}, 0),
        ({"properties": {}}, 0),
        ({"properties": []}, 0),
        ({}, 0),
        ({"$schema": "https://example.com/mine", "properties": {"a": {}}}, 0),
    ],
    ids=str,
)
def test_properties_of_which_none_is_required_are_told(schema: Any, count: int) -> None:
    assert len(of_schema("required-none", {"type": "object", **schema})) == count
