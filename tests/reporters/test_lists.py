"""What `inspect`, `rules` and `eval --offline` list: all of it, and no command to a CI."""

from typing import Any, NamedTuple

import pytest

from tests.reports import hostile_texts
from tests.workflow_commands import LogReader
from toolproof.report import Check, Listed, RuleCard, RunReport, ServerInfo, Severity, Timing, Tool
from toolproof.reporters import advice, offer, rule_list


class Pair(NamedTuple):
    first: str
    second: str
    likeness: float = 0.9
    shared: tuple[str, ...] = ()
    only: tuple[tuple[str, ...], ...] = ((), ())
    by_words: float | None = None
    by_meaning: float | None = None


FORECAST = {
    "name": "get_forecast",
    "description": "Weather\nof a city.",
    "inputSchema": {
        "properties": {
            "city": {"type": "string"},
            "unit": {"enum": ["C", "F"]},
            "day": {"type": ["string", "null"]},
            "odd": True,
            "free": {},
        },
        "required": ["city"],
    },
    "annotations": {"readOnlyHint": True, "openWorldHint": True},
}
INFO = ServerInfo(
    name="weather",
    version="2.1",
    protocol="2025-11-25",
    capabilities={"tools": {"listChanged": True}, "logging": {}},
    tools=(Tool(FORECAST), Tool({"inputSchema": {"properties": 3}}, 1)),
    resources=(Listed({"uri": "file:///a"}), Listed(3, 1)),
    prompts=(Listed({"name": "plan"}),),
    timing=Timing(start_ms=1200.0, list_ms=3.0),
)


def offered(info: ServerInfo | None = INFO, **options: Any) -> str:
    report = RunReport(duration_s=1, server=info, target="python server.py")
    return offer.render(report, **({"terminal": False, "color": False} | options))


def test_an_offer_is_a_line_for_each_tool() -> None:
    lines = offered().split("\n")

    assert lines[0].startswith(
        "weather 2.1  MCP 2025-11-25 · stdio · answered after 1.20 s · list in 3 ms · about "
    )
    assert lines[1] == "capabilities: tools (listChanged), logging"
    assert lines[2].startswith(
        "tool get_forecast(city: string, unit?: one of 2, day?: string or null, odd?: any, free?: any)"
    )
    assert lines[2].endswith("[read-only, open world]")
    assert lines[3].startswith("tool <index 1>(none)")
    assert lines[4] == "also: 2 resources, 1 prompt"


def test_more_is_told_on_request_and_nothing_where_it_is_quiet() -> None:
    assert "resource file:///a\nresource <index 1>\nprompt plan\n" in offered(verbose=1)
    assert offered(verbose=-1) == ""
    assert offered(None) == ""
    assert offered(ServerInfo()).startswith("python server.py  MCP ")


@pytest.mark.parametrize(("width", "verbose"), [(80, 0), (80, 1), (120, 1)])
def test_a_terminal_gets_a_table_in_which_nothing_is_cut(width: int, verbose: int) -> None:
    text = offered(terminal=True, width=width, verbose=verbose)

    assert max(map(len, text.split("\n")[2:])) <= width
    assert "Tools (2)" in text
    for words in ("get_forecast", "read-only", "one of"):
        assert words in text
    assert ("Description" in text) is (verbose > 0)


def test_colors_and_symbols_are_optional() -> None:
    assert "\x1b[" in offered(terminal=True, color=True)
    assert "·" not in offered(ascii=True)
    assert offered(terminal=True, ascii=True).isascii()


def test_an_offer_without_hints_has_no_column_for_them() -> None:
    bare = ServerInfo(tools=(Tool({"name": "a"}),))

    assert "Hints" not in offered(bare, terminal=True)


def test_pairs_are_told_with_what_sets_them_apart() -> None:
    pair = Pair("find", "search", 0.87, ("book", "title"), (("exact",), ()))

    text = advice.render([pair], tools=9)

    assert text.startswith(
        " 87%  find and search\n      both say: book, title\n      only find: exact\n"
        "      only search: (nothing)\n"
    )
    assert "Prompts to start from" in text
    assert "both say: (nothing of weight)" in advice.render([Pair("a", "b")], tools=2)
    assert advice.render([], tools=9).startswith("No two of 9 tools")


def card(name: str, severity: Severity, check: Check, title: str) -> RuleCard:
    return RuleCard(
        id=name, check=check, severity=severity, title=title, why="w", fix="f", source="s", url=""
    )


def test_rules_are_listed_by_family_and_wrapped() -> None:
    cards = [
        card("name-dot", Severity.WARNING, Check.NAME, "Name has a dot " * 8),
        card("schema-invalid", Severity.ERROR, Check.INPUT_SCHEMA, "No schema"),
        card("name-empty", Severity.ERROR, Check.NAME, "No name"),
    ]

    text = rule_list.render(cards, width=60)

    assert max(map(len, text.split("\n"))) <= 60
    assert "\n  error   name-empty      No name\n" in text
    assert text.count("\nname\n") + text.startswith("name\n") == 1
    assert text.endswith("\n\nExplain one: toolproof rules ID\n")
    assert "\x1b[31merror  \x1b[0m" in rule_list.render(cards, color=True)
    assert rule_list.render([]) == "\nExplain one: toolproof rules ID\n"


def test_no_text_of_a_server_is_a_command() -> None:
    """`toolproof inspect` and `toolproof eval --offline` may run in a job."""
    reader = LogReader("")
    for text in hostile_texts(7, 300):
        tool = Tool({"name": text, "description": text, "inputSchema": {"properties": {text: {}}}})
        info = ServerInfo(
            name=text,
            version=text,
            capabilities={text: {}},
            tools=(tool,),
            prompts=(Listed({"name": text}),),
        )
        reader.read(offered(info, verbose=1))
        reader.read(advice.render([Pair(text, text, 1, (text,), ((text,), (text,)))], tools=2))
    for text in hostile_texts(8, 20):
        info = ServerInfo(name=text, tools=(Tool({"name": text, "description": text}),))
        reader.read(offered(info, terminal=True, width=40, verbose=1))

    assert reader.commands == []
