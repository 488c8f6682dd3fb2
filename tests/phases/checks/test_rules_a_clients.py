"""What is legal in the protocol or in JSON Schema, and refused or mangled by a client."""

from typing import Any

import pytest

from tests.phases.checks.rules_a import (
    RULES,
    flaws,
    of_property,
    of_schema,
    pointers,
    problems,
    rule,
    severities,
)
from toolproof.phases.checks.examples import called
from toolproof.phases.checks.rule import Evidence, Profile
from toolproof.report import Severity

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_6 = "http://json-schema.org/draft-06/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
UNSAFE = 2**53


@pytest.mark.parametrize("found", RULES, ids=lambda found: found.id)
def test_a_rule_is_an_error_for_the_clients_that_it_names_and_for_strict_ones(found: Any) -> None:
    at_first = {p.severity for p in problems(found.bad, rules=[found])}
    for profile in Profile:
        severity = {p.severity for p in problems(found.bad, clients=[profile], rules=[found])}
        named = profile in found.error_for or (found.error_for and profile is Profile.STRICT)
        is_varied = found.id == "type-union"  # its example is the mild one
        assert severity == ({ERROR} if named and not is_varied else at_first)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "object", "oneOf": [{}]}, ["/inputSchema/oneOf"]),
        ({"type": "object", "anyOf": [{}], "allOf": [{}]}, ["/inputSchema/anyOf"]),
        ({"type": "object", "allOf": [{"if": {}, "then": {}}]}, ["/inputSchema/allOf"]),
        ({"type": "object", "properties": {"a": {"oneOf": [{}]}}}, []),
        ({"type": "object", "if": {}, "then": {}, "not": {}}, []),
        ({"oneOf": [{}]}, []),
        ({"type": ["object"], "oneOf": [{}]}, []),
        ({"type": "object", "oneOf": {}}, []),
        ({"type": "object", "oneOf": [{}], "$schema": "https://example.com/mine"}, []),
    ],
    ids=str,
)
def test_a_choice_at_the_root(schema: Any, expected: list[str]) -> None:
    assert pointers("schema-root-composition", schema) == expected
    assert pointers("schema-root-composition", schema, output=True) == []


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "array", "items": {}}, ["/outputSchema/type"]),
        ({"type": ["object", "null"]}, ["/outputSchema/type"]),
        ({"$ref": "#/$defs/a"}, ["/outputSchema"]),
        ({}, ["/outputSchema"]),
        ({"type": "object"}, []),
        (None, []),
        ([], []),
    ],
    ids=str,
)
def test_the_root_of_an_output_schema(schema: Any, expected: list[str]) -> None:
    assert pointers("output-schema-root", schema, output=True) == expected


@pytest.mark.parametrize(
    ("revision", "severity"),
    [("2025-06-18", ERROR), ("2025-11-25", ERROR), ("", ERROR), ("2026-07-28", WARNING), ("2027-01-01", WARNING)],
)  # fmt: skip
def test_an_output_schema_of_another_root_is_legal_from_2026_07_28_on(
    revision: str, severity: Severity
) -> None:
    entry = {"name": "a", "outputSchema": {"type": "array"}}
    evidence = Evidence(entries=[entry], revision=revision)

    assert severities("output-schema-root", evidence) == {severity}
    assert severities("output-schema-root", evidence, "cursor") == {ERROR}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "array"}, [""]),
        ({"type": ["array", "null"]}, [""]),
        ({"type": "array", "minItems": 1, "uniqueItems": True}, [""]),
        ({"type": "array", "items": {"type": "array"}}, ["/items"]),
        ({"type": "array", "prefixItems": [{"type": "array"}]}, ["/prefixItems/0"]),
        ({"anyOf": [{"type": "array"}, {"type": "null"}]}, ["/anyOf/0"]),
        ({"properties": {"a/b": {"type": "array"}}}, ["/properties/a~1b"]),
        ({"additionalProperties": {"type": "array"}}, ["/additionalProperties"]),
        ({"$defs": {"x": {"type": "array"}}}, ["/$defs/x"]),
        ({"type": "array", "items": {}}, []),
        ({"type": "array", "items": True}, []),
        ({"type": "array", "prefixItems": []}, []),
        ({"type": "string"}, []),
        ({"enum": [{"type": "array"}], "default": {"type": "array"}}, []),
        ({"properties": {"type": {"type": "string"}}}, []),
    ],
    ids=str,
)
def test_an_array_anywhere_needs_items(schema: Any, expected: list[str]) -> None:
    assert of_property("array-items-missing", schema) == expected
    assert pointers("array-items-missing", schema, output=True) == []


@pytest.mark.parametrize(
    ("schema", "severity", "for_gemini"),
    [
        ({"type": ["string", "null"]}, INFO, INFO),
        ({"type": ["string"]}, INFO, INFO),
        ({"type": ["array", "null"], "items": {}}, WARNING, ERROR),
        ({"type": ["array"], "items": {}}, WARNING, ERROR),
    ],
    ids=str,
)
def test_a_list_of_types_is_worse_with_array(
    schema: Any, severity: Severity, for_gemini: Severity
) -> None:
    entry = {"name": "a", "inputSchema": {"type": "object", "properties": {"p": schema}}}
    evidence = Evidence(entries=[entry])

    assert severities("type-union", evidence) == {severity}
    assert severities("type-union", evidence, "gemini") == {for_gemini}
    assert severities("type-union", evidence, "claude") == {severity}


@pytest.mark.parametrize("kind", ["string", [], [5], ["string", 5], None, {}])
def test_what_is_no_list_of_types_is_no_union(kind: Any) -> None:
    assert of_property("type-union", {"type": kind}) == []


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"enum": [0, 1]}, "has 0;"),
        ({"type": "integer", "enum": [5, "a"]}, "has 5;"),
        ({"type": "number", "enum": [5]}, "has 5;"),
        ({"type": "integer", "enum": [1.0]}, "has 1.0;"),
        ({"type": ["string", "null"], "enum": ["a", None]}, "has null;"),
        ({"type": "boolean", "enum": [True]}, "has true;"),
        ({"enum": ["a", [1]]}, "has [1];"),
        ({"type": "string", "enum": [1, 2]}, None),
        ({"type": "string", "enum": ["a", None]}, None),
        ({"type": "array", "enum": ["a"]}, None),
        ({"enum": ["a", "b"]}, None),
        ({"enum": []}, None),
        ({"enum": 5}, None),
        ({"const": 5}, None),
    ],
    ids=str,
)
def test_an_enum_of_other_values_than_strings(schema: Any, said: str | None) -> None:
    found = of_schema("enum-nonstring", {"properties": {"p": schema}})

    assert len(found) == (said is not None)
    assert all((said or "") in flaw.message for flaw in found)
    assert of_schema("enum-nonstring", {"properties": {"p": schema}}, output=True) == []


@pytest.mark.parametrize(
    ("options", "empty", "repeated"),
    [
        (["a", "", "b"], True, None),
        ([""], True, None),
        (["", ""], True, "''"),
        (["a", "b", "a", "b"], False, "'a'"),
        ([1, 1.0], False, "1.0"),
        ([1, True], False, None),
        ([{"a": 1}, {"a": 1}], False, '{"a": 1}'),
        ([" "], False, None),
        ([], False, None),
        ("aa", False, None),
        (None, False, None),
    ],
    ids=str,
)
def test_empty_and_repeated_values_of_an_enum(
    options: Any,
    empty: bool,
    repeated: str | None,
) -> None:
    schema = {"properties": {"p": {"enum": options}}}

    assert bool(of_schema("enum-empty-string", schema)) is empty
    found = of_schema("enum-duplicate", schema, output=True)
    assert [flaw.pointer for flaw in found] == ["/outputSchema/properties/p/enum"] * (
        repeated is not None
    )
    assert all(f"holds {repeated} twice" in flaw.message for flaw in found)
    assert of_schema("enum-duplicate", {"$schema": DRAFT_4, **schema}) == []


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "array", "properties": {}}, ["/properties"]),
        ({"type": "string", "required": ["a"], "properties": {}}, ["/properties"]),
        ({"type": ["string", "null"], "required": []}, ["/required"]),
        ({"type": "string", "required": True}, []),
        ({"type": "object", "properties": {}, "required": []}, []),
        ({"type": ["object", "null"], "properties": {}}, []),
        ({"properties": {}}, []),
        ({"type": 5, "properties": {}}, []),
        ({"type": "Object", "properties": {}}, []),
    ],
    ids=str,
)
def test_keywords_of_an_object_beside_another_type(schema: Any, expected: list[str]) -> None:
    assert of_property("keyword-type-mismatch", schema) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "nullable": True}, ["/nullable"]),
        ({"$ref": "#", "nullable": True}, ["/nullable"]),
        ({"type": "string", "nullable": "yes"}, ["/nullable"]),
        ({"type": "string", "nullable": False}, []),
        ({"type": ["string", "null"], "nullable": True}, []),
        ({"properties": {"nullable": {"type": "boolean"}}}, []),
    ],
    ids=str,
)
def test_nullable_promises_what_json_schema_refuses(schema: Any, expected: list[str]) -> None:
    assert of_property("nullable-keyword", schema) == expected


@pytest.mark.parametrize(
    ("pattern", "count"),
    [("(?=a)b", 1), ("(?<!a)b", 1), ("(?:a)", 0), (r"\(?=", 0), ("(?=", 0), (5, 0)],
)
def test_a_pattern_that_looks_around(pattern: Any, count: int) -> None:
    assert of_property("pattern-lookaround", {"pattern": pattern}) == ["/pattern"] * count


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"maximum": UNSAFE}, ["/maximum"]),
        ({"minimum": -UNSAFE, "exclusiveMaximum": UNSAFE}, ["/minimum", "/exclusiveMaximum"]),
        ({"const": UNSAFE}, ["/const"]),
        ({"default": UNSAFE}, ["/default"]),
        ({"enum": [1, UNSAFE, UNSAFE + 1]}, ["/enum"]),
        ({"default": {"a": [{"b": UNSAFE}]}}, ["/default"]),
        ({"maximum": UNSAFE - 1, "minimum": 1 - UNSAFE}, []),
        ({"maximum": 1e300}, []),
        ({"maximum": True}, []),
        ({"maxLength": UNSAFE}, []),
        ({"examples": [UNSAFE]}, []),
        ({"properties": {"default": {"type": "string"}}}, []),
    ],
    ids=str,
)
def test_an_integer_in_a_schema_that_javascript_rounds(schema: Any, expected: list[str]) -> None:
    assert of_property("unsafe-integer", schema) == expected


def test_an_integer_without_an_end_is_told_like_any_other() -> None:
    assert of_property("unsafe-integer", {"default": 10**5000}) == ["/default"]


@pytest.mark.parametrize(
    ("structured", "said"),
    [
        ({"id": UNSAFE}, "a result has 9007199254740992 at structuredContent/id, outside"),
        ({"rows": [{"id": 1}, {"id": -UNSAFE}]}, "at structuredContent/rows/1/id"),
        (UNSAFE, "at structuredContent, outside"),
        ({"id": str(UNSAFE)}, None),
        ({"id": 1e300, "flag": True}, None),
        (None, None),
    ],
)
def test_an_integer_in_a_result_that_javascript_rounds(structured: Any, said: str | None) -> None:
    call = called({"content": [], "structuredContent": structured})

    found = problems(Evidence(calls=[call, call]), rules=[rule("unsafe-integer")])

    assert [(p.tool, p.pointer) for p in found] == [("get_weather", None)] * (said is not None)
    assert all((said or "") in p.message for p in found)


def test_results_of_one_tool_are_one_problem() -> None:
    calls = [called({"structuredContent": {"id": UNSAFE + number}}) for number in range(3)]

    assert len(problems(Evidence(calls=calls), rules=[rule("unsafe-integer")])) == 1


def test_two_tools_with_one_schema_id_are_told_on_the_later_one() -> None:
    entries = [
        {"name": "a", "inputSchema": {"$id": "urn:args"}, "outputSchema": {"$id": "urn:args#"}},
        {"name": "b", "inputSchema": {"$id": "urn:args"}, "outputSchema": {"$id": "urn:out"}},
        {"name": "c", "inputSchema": {"$id": "#args"}, "outputSchema": {"$id": "urn:out"}},
        {"name": "d", "inputSchema": {"$id": "#args"}, "outputSchema": {"$id": 5}},
        {"name": "e", "inputSchema": {"$schema": DRAFT_4, "id": "urn:args", "$id": "urn:x"}},
        {"name": "f", "inputSchema": {"$schema": DRAFT_4, "$id": "urn:x"}},
    ]

    assert [(f.tool, f.pointer) for f in flaws("schema-id-duplicate", *entries)] == [
        ("b", "/inputSchema/$id"),
        ("c", "/outputSchema/$id"),
        ("e", "/inputSchema/id"),
    ]


HEADER = "x-mcp-header"


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "string", HEADER: "Re gion"}, "is no HTTP token"),
        ({"type": "string", HEADER: ""}, "is no HTTP token"),
        ({"type": "string", HEADER: "Région"}, "is no HTTP token"),
        ({"type": "string", HEADER: "a:b"}, "is no HTTP token"),
        ({"type": "string", HEADER: "a\r\nb"}, "is no HTTP token"),
        ({"type": "string", HEADER: 5}, "is no HTTP token"),
        ({"type": "string", HEADER: None}, "is no HTTP token"),
        ({"type": "number", HEADER: "A"}, "is on a field that is no string, integer or boolean"),
        ({"type": "object", HEADER: "A"}, "is on a field that is no string"),
        ({"type": ["string", "null"], HEADER: "A"}, "is on a field that is no string"),
        ({HEADER: "A"}, "is on a field that is no string"),
        ({"items": {"type": "string", HEADER: "A"}}, "is not reached through properties alone"),
        ({"anyOf": [{"type": "string", HEADER: "A"}]}, "is not reached through properties alone"),
        ({"$defs": {"x": {"type": "string", HEADER: "A"}}}, "is not reached through properties alone"),
        ({"items": {"properties": {"q": {"type": "string", HEADER: "A"}}}}, "is not reached through properties alone"),
        ({"type": "number", HEADER: "a b"}, "is no HTTP token and is on a field"),
    ],
    ids=str,
)  # fmt: skip
def test_a_header_that_breaks_the_protocol(schema: Any, said: str) -> None:
    (flaw,) = of_schema("x-mcp-header-invalid", {"type": "object", "properties": {"p": schema}})

    assert said in flaw.message
    assert (flaw.pointer or "").endswith(f"/{HEADER}")


def test_headers_must_differ_whatever_their_case() -> None:
    fields = {
        "a": {"type": "string", HEADER: "Region"},
        "b": {"type": "integer", HEADER: "REGION"},
        "c": {"type": "boolean", HEADER: "Zone!#$%&'*+-.^_`|~9"},
        "o": {"type": "object", "properties": {"d": {"type": "string", HEADER: "region"}}},
    }

    assert pointers("x-mcp-header-invalid", {"type": "object", "properties": fields}) == [
        "/inputSchema/properties/b/x-mcp-header",
        "/inputSchema/properties/o/properties/d/x-mcp-header",
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"type": "string", HEADER: "A"}}},
        {"type": "object", "properties": {HEADER: {"type": "string"}}},
        {"type": "object", "default": {HEADER: "a b"}},
    ],
)
def test_a_header_as_it_should_be(schema: Any) -> None:
    assert of_schema("x-mcp-header-invalid", schema) == []
    assert of_schema("x-mcp-header-invalid", {"properties": {"a": {HEADER: ""}}}, output=True) == []


def test_a_header_on_the_root_is_on_no_field() -> None:
    (flaw,) = of_schema("x-mcp-header-invalid", {"type": "string", HEADER: "A"})

    assert "is not reached through properties alone" in flaw.message


@pytest.mark.parametrize(
    ("declared", "fix"),
    [
        ("https://example.com/mine", None),
        ("https://json-schema.org/draft-07/schema#", "Write 'http://json-schema.org/draft-07/schema'"),
        ("https://json-schema.org/draft/2021-12/schema", "Write 'https://json-schema.org/draft/20"),
        ("", None),
        ("x" * 100_000, None),
    ],
    ids=lambda given: str(given)[:40],
)  # fmt: skip
def test_an_unknown_dialect_is_told_and_its_schema_left_alone(
    declared: str, fix: str | None
) -> None:
    wrong = {"$schema": declared, "type": "object", "properties": {"a b": {"type": "strng"}}}
    found = problems(
        Evidence(
            entries=[{"name": "a", "description": "b", "inputSchema": wrong, "outputSchema": wrong}]
        ),
        rules=RULES,
    )

    assert [(p.rule, p.severity, p.pointer) for p in found] == [
        ("dialect-unknown", WARNING, "/inputSchema/$schema"),
        ("dialect-unknown", WARNING, "/outputSchema/$schema"),
    ]
    assert "inputSchema is not checked or fuzzed further" in found[0].message
    assert found[0].fix.startswith(fix or "Use 2020-12")


@pytest.mark.parametrize(
    ("declared", "said"),
    [(DRAFT_4, "draft-04"), (DRAFT_6, "draft-06"), (DRAFT_7, None), (DRAFT_2019, None), (5, None)],
)
def test_an_old_dialect_is_told(declared: Any, said: str | None) -> None:
    found = of_schema("dialect-old", {"$schema": declared, "type": "object"}, output=True)

    assert [flaw.pointer for flaw in found] == ["/outputSchema/$schema"] * (said is not None)
    assert all((said or "") in flaw.message for flaw in found)


@pytest.mark.parametrize(
    ("declared", "count"),
    [
        (DRAFT_4, 1),
        (DRAFT_7, 1),
        (DRAFT_2019, 1),
        ("https://json-schema.org/draft/2020-12/schema", 0),
    ],
)
def test_a_tuple_of_an_older_dialect(declared: str, count: int) -> None:
    schema = {"$schema": declared, "properties": {"p": {"items": [{}]}, "q": {"items": {}}}}

    assert pointers("tuple-items-legacy", schema) == ["/inputSchema/properties/p/items"] * count


@pytest.mark.parametrize(
    ("schema", "count"),
    [
        ({"prefixItems": [{}], "items": False}, 1),
        ({"prefixItems": [{}], "items": {}}, 0),
        ({"prefixItems": [{}]}, 0),
        ({"items": False}, 0),
        ({"prefixItems": {}, "items": False}, 0),
    ],
    ids=str,
)
def test_a_closed_tuple_of_an_output_schema(schema: Any, count: int) -> None:
    wrapped = {"type": "object", "properties": {"p": schema}}

    assert (
        pointers("tuple-output-closed", wrapped, output=True)
        == ["/outputSchema/properties/p"] * count
    )
    assert pointers("tuple-output-closed", wrapped) == []


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"properties": {"a": True, "b": False, "c": {}}}, ["/inputSchema/properties/a", "/inputSchema/properties/b"]),
        ({"items": {"properties": {"a": True}}}, ["/inputSchema/items/properties/a"]),
        ({"additionalProperties": False, "items": True, "patternProperties": {"a": True}}, []),
        ({"properties": {"a": 5}}, []),
        ({"$schema": DRAFT_4, "properties": {"a": True}}, []),
    ],
    ids=str,
)  # fmt: skip
def test_a_property_without_an_object_for_a_schema(schema: Any, expected: list[str]) -> None:
    assert pointers("property-boolean-schema", schema) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "object", "required": ["a"]}, ["/required"]),
        ({"type": "array", "items": {"type": "object", "required": ["a"]}}, ["/items/required"]),
        ({"type": "object", "required": ["a"], "additionalProperties": True}, ["/required"]),
        ({"anyOf": [{"type": "object", "required": ["a"]}, {"type": "null"}]}, ["/anyOf/0/required"]),
        ({"type": "object", "required": ["a"], "properties": {"a": {}}}, []),
        ({"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["a"]}]}, []),
        ({"type": "object", "properties": {"a": {}}, "allOf": [{"if": {}, "then": {"required": ["a"]}}]}, []),
        ({"type": "object", "properties": {"a": {}}, "dependentSchemas": {"b": {"required": ["a"]}}}, []),
        ({"type": "string", "required": ["a"]}, []),
        ({"required": True}, []),
        ({"required": [5]}, []),
    ],
    ids=str,
)  # fmt: skip
def test_a_required_field_that_an_inner_object_does_not_declare(
    schema: Any, expected: list[str]
) -> None:
    assert of_property("required-undeclared-nested", schema) == expected


def test_the_root_is_judged_by_a_rule_of_its_own() -> None:
    assert pointers("required-undeclared-nested", {"type": "object", "required": ["a"]}) == []
    branch = {"type": "object", "properties": {"a": {}}, "allOf": [{"then": {"required": ["a"]}}]}
    assert pointers("required-undeclared-nested", branch) == []


def test_many_branches_are_judged_in_linear_time() -> None:
    branches = [{"required": [f"p{number}", "x"]} for number in range(5000)]
    properties: dict[str, Any] = {f"p{number}": {} for number in range(5000)}
    schema = {"properties": {"o": {"anyOf": branches, "properties": properties}}}

    assert len(pointers("required-undeclared-nested", schema)) == 5000


@pytest.mark.parametrize(
    ("name", "unsupported", "unknown"),
    [
        ("date-time", 0, 0),
        ("uri", 1, 0),
        ("email", 1, 0),
        ("relative-json-pointer", 1, 0),
        ("uint32", 0, 1),
        ("DATE", 0, 1),
        ("", 0, 1),
        (5, 0, 0),
        (None, 0, 0),
    ],
)
def test_formats(name: Any, unsupported: int, unknown: int) -> None:
    assert of_property("format-unsupported", {"format": name}) == ["/format"] * unsupported
    assert of_property("format-unknown", {"format": name}) == ["/format"] * unknown


@pytest.mark.parametrize(
    ("schema", "count"),
    [
        ({"type": "object"}, 1),
        ({"type": "object", "additionalProperties": True}, 1),
        ({"type": "object", "additionalProperties": False}, 0),
        ({"type": "object", "properties": {}}, 0),
        ({"type": "object", "oneOf": [{}]}, 0),
        ({"type": "string"}, 0),
        ({}, 0),
    ],
    ids=str,
)
def test_an_object_without_properties(schema: Any, count: int) -> None:
    assert pointers("properties-missing", schema) == ["/inputSchema"] * count


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, [""]),
        ({"description": "x", "enum": ["a"]}, [""]),
        ({"properties": {"a": {}}}, ["", "/properties/a"]),
        ({"type": "string"}, []),
        ({"$ref": "#"}, []),
        ({"const": 1}, []),
        ({"anyOf": [{}]}, []),
        ({"type": "object", "if": {"properties": {"a": {"enum": [1]}}}}, []),
        ({"type": "object", "items": {}}, []),
        (True, []),
    ],
    ids=str,
)
def test_a_property_without_a_type(schema: Any, expected: list[str]) -> None:
    assert of_property("type-missing", schema) == expected
