"""Names of tools and of properties, as clients take them."""

import pytest

from tests.phases.checks.rules_a import flaws, of_schema, problems, rule, severities
from toolproof.phases.checks.rule import Evidence
from toolproof.report import Severity

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


@pytest.mark.parametrize(
    ("name", "shown", "suggested"),
    [
        ("bn/decompile", "'/'", "bn_decompile"),
        ("búsqueda", "U+00FA", "busqueda"),
        ("get weather", "' '", "get_weather"),
        (" get ", "' '", "get"),
        ("a\nb", "U+000A", "a_b"),
        ("a\u200bb", "U+200B", "a_b"),
        ("a:b@c", "':', '@'", "a_b_c"),
        ("a (b)", "' ', '(', ')'", "a_b"),
        ("天気", "U+5929, U+6C17", None),
        ("!?", "'!', '?'", None),
        ("/" * 9, "'/'", None),
        ("ab!cd*ef(gh)ij", "'!', '*', '(' and 1 more", "ab_cd_ef_gh_ij"),
    ],
)
def test_odd_characters_are_named_and_a_name_suggested(
    name: str, shown: str, suggested: str | None
) -> None:
    (flaw,) = flaws("name-charset", {"name": name})

    assert f"the name has {shown}, expected" in flaw.message
    assert flaw.message.endswith(f", for example {suggested}" if suggested else "alone")
    assert flaw.fix == (f"Rename it, for example to {suggested}." if suggested else None)
    assert flaw.message.isprintable()


@pytest.mark.parametrize("name", ["get_weather", "Get-Weather.v2", "0", "-", ".", "_" * 200])
def test_the_characters_of_the_protocol_are_allowed(name: str) -> None:
    assert flaws("name-charset", {"name": name}) == []


def test_what_is_no_name_has_no_characters() -> None:
    entries = [{"name": ""}, {"name": 5}, {}, None, {"name": "  "}]
    for name in ("name-charset", "name-dot", "name-length", "name-collision", "duplicate-name"):
        assert flaws(name, *entries) == []
    assert flaws("name-length-with-server", *entries, server_name="s" * 99) == []


def test_a_dot_is_refused_by_two_clients() -> None:
    evidence = Evidence(entries=[{"name": "a.b"}])

    assert severities("name-dot", evidence) == {WARNING}
    for client in ("claude", "openai", "strict"):
        assert severities("name-dot", evidence, client) == {ERROR}
    for client in ("gemini", "vscode", "cursor"):
        assert severities("name-dot", evidence, client) == {WARNING}
    assert flaws("name-dot", {"name": "a_b"}) == []


@pytest.mark.parametrize(
    ("length", "severity", "said"),
    [
        (64, None, ""),
        (65, WARNING, "65 characters"),
        (128, WARNING, "128 characters"),
        (129, ERROR, "129 characters; the protocol allows 128"),
        (5000, ERROR, "5,000 characters"),
    ],
)
def test_a_long_name_is_told_with_its_length(
    length: int, severity: Severity | None, said: str
) -> None:
    evidence = Evidence(entries=[{"name": "n" * length}])

    found = problems(evidence, rules=[rule("name-length")])
    assert [p.severity for p in found] == ([severity] if severity else [])
    assert all(said in p.message for p in found)


@pytest.mark.parametrize(
    ("name", "server", "count"),
    [
        (56, "static-case", 1),
        (48, "static-case", 0),
        (49, "static-case", 1),
        (64, "", 0),
        (64, "s", 1),
        (65, "s", 0),
        (40, None, 0),
    ],
)
def test_name_and_server_together_have_a_limit(name: int, server: str | None, count: int) -> None:
    found = flaws("name-length-with-server", {"name": "n" * name}, server_name=server)

    assert len(found) == count


def test_the_length_with_the_server_is_an_error_for_cursor() -> None:
    evidence = Evidence(entries=[{"name": "n" * 56}], server_name="static-case")

    assert severities("name-length-with-server", evidence) == {INFO}
    assert severities("name-length-with-server", evidence, "cursor") == {ERROR}
    assert severities("name-length-with-server", evidence, "claude") == {INFO}


def test_names_that_fold_to_one_are_told_on_each_later_tool() -> None:
    names = [
        "get-user",
        "get_user",
        "Get_User",
        "get user",
        "get-user",
        "getuser",
        "GET.USER",
        "é1",
        "è1",
    ]
    found = flaws("name-collision", *[{"name": name} for name in names])

    assert [flaw.tool for flaw in found] == ["get_user", "Get_User", "get user", "GET.USER", "è1"]
    assert all("'get-user'" in flaw.message for flaw in found[:4])
    assert found[1].message == (
        "the name becomes that of 'get-user' once folded to 'get_user'; OpenAI mixes them up"
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("uids[]", "'uids[]'"),
        ("$top", "'$top'"),
        ("StartTime<", "'StartTime<'"),
        ("", "''"),
        ("é", "'é'"),
        ("a b", "'a b'"),
        ("a\nb", "'a↵b'"),
        ("x" * 80, "… of 80 characters"),
    ],
)
def test_a_property_name_that_claude_refuses_is_listed(name: str, shown: str) -> None:
    (flaw,) = of_schema("property-name", {"properties": {"ok": {}, name: {}}})

    assert shown in flaw.message
    assert flaw.pointer == "/inputSchema/properties"


def test_all_odd_property_names_of_a_tool_are_one_problem() -> None:
    inner = {"type": "object", "properties": {"c d": {}, "a b": {}}}
    schema = {"properties": {"a b": {}, "ok": inner, "e[]": {}, "f<": {}, "g>": {}, "h@": {}}}

    (flaw,) = of_schema("property-name", schema)

    assert "'a b', 'e[]', 'f<', 'g>' and 2 more" in flaw.message


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a-b_c.D9": {}, "x" * 64: {}}},
        {"patternProperties": {"^a b$": {}}},
        {"properties": ["a b"]},
        {"$defs": {"a b": {}}},
        {"enum": [{"properties": {"a b": 1}}]},
        {"$schema": "https://example.com/mine", "properties": {"a b": {}}},
    ],
)
def test_other_names_are_no_concern(schema: object) -> None:
    assert of_schema("property-name", schema) == []
    assert of_schema("property-name", {"properties": {"a b": {}}}, output=True) == []
