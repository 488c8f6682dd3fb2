import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from toolproof.connection.observations import Kind
from toolproof.errors import ConfigError
from toolproof.phases.checks.engine import (
    Checked,
    broken_rules,
    check,
    fingerprint,
    raise_broken,
    refuse_unknown_names,
)
from toolproof.phases.checks.examples import NOTHING, answer, called, sample, saw
from toolproof.phases.checks.rule import (
    Evidence,
    Flaw,
    Profile,
    Rule,
    calling,
    each_tool,
    listing,
    rule,
    seeing,
)
from toolproof.report import WHOLE_SERVER, Check, RpcError, Severity

BARE = {"inputSchema": NOTHING}
ANY_WORDS = {
    "severity": Severity.WARNING,
    "title": "Any",
    "fix": "Any.",
    "source": "general practice",
}


@dataclass(frozen=True)
class Ignore:
    rule: str
    tool: str = "*"


def config(*ignore: Ignore, **values: Any) -> Any:
    given = {"max_description_length": 1024, "max_tokens": None, "clients": ()} | values
    return SimpleNamespace(ignore=ignore, **given)


def checked(evidence: Evidence, *ignore: Ignore, **values: Any) -> Checked:
    found = check(evidence, config(*ignore, **values))
    raise_broken(found.notes)
    return found


def broken(evidence: Evidence, *ignore: Ignore, **values: Any) -> list[tuple[str, str]]:
    """Tool and rule of each problem above info."""
    found = checked(evidence, *ignore, **values)
    return [(p.tool, p.rule) for p in found.problems if p.severity is not Severity.INFO]


def made(find: Any, **values: Any) -> Rule:
    """A rule of a test."""
    return rule(check=Check.QUALITY, bad=seeing(), good=seeing(), **ANY_WORDS | values)(find)


NAMELESS = listing(BARE | {"name": "read"}, BARE | {"name": "list"})


@pytest.mark.parametrize("name", ["description-missing", "description"])
def test_ignore_takes_a_rule_or_its_family(name: str) -> None:
    assert broken(NAMELESS, Ignore(name)) == []


@pytest.mark.parametrize(("tool", "left"), [("read", "list"), ("l?s*", "read"), ("[r]ead", "list")])
def test_ignore_may_be_about_some_tools(tool: str, left: str) -> None:
    assert broken(NAMELESS, Ignore("description", tool)) == [(left, "description-missing")]


def test_patterns_of_tools_heed_the_case() -> None:
    assert len(broken(NAMELESS, Ignore("description", "READ"))) == 2


def test_an_ignore_that_hides_nothing_is_noted() -> None:
    found = checked(
        NAMELESS, Ignore("name-dot"), Ignore("description", "read"), Ignore("size", "x")
    )

    assert [note.message for note in found.notes] == [
        "checks.ignore[0]: name-dot hid nothing; take it out"
    ]


def test_an_ignore_for_what_this_run_could_not_show_is_not_noted() -> None:
    """Ours: `inspect` calls no tool, so an ignored crash is not in vain."""
    ignores = (Ignore("crash"), Ignore("unknown-tool"), Ignore("protocol"))

    assert checked(NAMELESS, *ignores).notes == []
    assert checked(seeing(), Ignore("name-dot")).notes == []
    [note] = checked(calling(called(answer("ok"))), Ignore("crash")).notes
    assert "crash" in note.message


def test_an_ignored_tool_is_named_in_the_note() -> None:
    [note] = checked(NAMELESS, Ignore("name-dot", "graph.*")).notes

    assert note.message == "checks.ignore[0]: name-dot on 'graph.*' hid nothing; take it out"


def test_a_name_that_is_no_rule_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError) as raised:
        refuse_unknown_names(config(Ignore("size"), Ignore("description-mising")))

    assert (
        raised.value.message
        == "checks.ignore[1]: there is no rule and no family 'description-mising'"
    )
    assert raised.value.hint == "Did you mean 'description-missing'?"


def test_a_name_like_no_other_is_refused_too() -> None:
    with pytest.raises(ConfigError) as raised:
        refuse_unknown_names(config(Ignore("\u202e")))

    assert raised.value.hint == "List them with `toolproof rules`."
    assert raised.value.message.isprintable()


def test_known_names_pass() -> None:
    refuse_unknown_names(config(Ignore("crash"), Ignore("protocol")))


def test_a_profile_turns_a_warning_into_an_error_and_is_named() -> None:
    dotted = listing(sample("get.weather"))

    [plain] = [p for p in checked(dotted).problems if p.rule == "name-dot"]
    [raised] = [
        p
        for p in checked(dotted, clients=("openai", "claude", "vscode")).problems
        if p.rule == "name-dot"
    ]

    assert (plain.severity, raised.severity) == (Severity.WARNING, Severity.ERROR)
    assert raised.message == f"{plain.message} (an error for Claude, OpenAI)"
    assert raised.fingerprint == plain.fingerprint


def test_a_profile_that_is_not_concerned_changes_nothing() -> None:
    dotted = listing(sample("get.weather"))

    assert checked(dotted, clients=("vscode",)).problems == checked(dotted).problems


def test_strict_stands_for_every_client() -> None:
    [problem] = checked(listing(sample("get.weather")), clients=("strict",)).problems

    assert problem.severity is Severity.ERROR
    assert problem.message.endswith("(an error for strict clients)")


def test_a_flaw_may_say_itself_for_whom_it_is_an_error() -> None:
    def find(_: Evidence) -> Iterator[Flaw]:
        yield Flaw("for nobody", subject="a", error_for=frozenset())
        yield Flaw("for one", subject="b", error_for=frozenset({Profile.CURSOR}))
        yield Flaw("by itself", subject="c", severity=Severity.ERROR)

    found = check(
        seeing(), config(clients=("cursor", "strict")), rules=[made(find, error_for=["claude"])]
    )

    assert [(p.message, p.severity) for p in found.problems] == [
        ("for one (an error for Cursor, strict clients)", Severity.ERROR),
        ("by itself", Severity.ERROR),
        ("for nobody", Severity.WARNING),
    ]


def test_a_problem_is_told_once_for_each_tool_and_pointer() -> None:
    def find(_: Evidence) -> Iterator[Flaw]:
        for pointer in ("/a", "/b", "/a", None, None):
            yield Flaw("again", pointer, tool="x")

    found = check(seeing(), config(), rules=[made(find)])

    assert [problem.pointer for problem in found.problems] == ["/a", "/b", None]


def test_problems_of_the_server_differ_by_their_subject() -> None:
    def find(_: Evidence) -> Iterator[Flaw]:
        for subject in ("resource a", "resource b", "resource a", None):
            yield Flaw("broken", subject=subject)

    found = check(seeing(), config(), rules=[made(find)])

    assert [problem.tool for problem in found.problems] == [WHOLE_SERVER] * 3
    assert len({problem.fingerprint for problem in found.problems}) == 3


def test_problems_come_by_tool_then_worst_first_then_by_rule_and_the_servers_last() -> None:
    evidence = replace(
        listing(
            sample("zeta", description="Optional\u200b one.", annotations={}),
            {"name": "alpha.b"} | BARE,
        ),
        observations=seeing(saw(Kind.STDOUT_BOM, "a mark")).observations,
    )

    found = checked(evidence).problems

    assert [(p.tool, p.rule) for p in found] == [
        ("zeta", "hidden-unicode"),
        ("zeta", "annotations-missing"),
        ("alpha.b", "description-missing"),
        ("alpha.b", "name-dot"),
        ("alpha.b", "annotations-missing"),
        (WHOLE_SERVER, "stdout-bom"),
    ]


def test_a_tool_that_was_called_and_is_not_listed_comes_before_the_server() -> None:
    evidence = replace(
        calling(called(answer("Error: none here"), raw=sample("other"))),
        entries=(sample("read"),),
        observations=seeing(saw(Kind.STDOUT_BOM, "a mark")).observations,
    )

    assert [p.tool for p in checked(evidence).problems] == ["other", WHOLE_SERVER]


def test_a_rule_of_ours_that_raises_costs_no_other() -> None:
    def find(_: Evidence) -> Iterator[Flaw]:
        yield Flaw("seen before it broke")
        raise KeyError("\u202e")

    def other(_: Evidence) -> Iterator[Flaw]:
        yield Flaw("seen after")

    found = check(seeing(), config(), rules=[made(find), made(other)])

    assert [p.message for p in found.problems] == ["seen before it broke", "seen after"]
    [bug] = broken_rules(found.notes)
    assert bug.message.startswith("internal error in rule find: KeyError")
    assert bug.message.isprintable()
    with pytest.raises(ExceptionGroup):
        raise_broken(found.notes)


def test_without_bugs_nothing_is_raised() -> None:
    assert broken_rules(checked(NAMELESS).notes) == []


def test_messages_hide_nothing_that_a_server_wrote() -> None:
    def find(_: Evidence) -> Iterator[Flaw]:
        yield Flaw("a\u202eb\x1b[31mc\nd")

    [problem] = check(seeing(), config(), rules=[made(find)]).problems

    assert problem.message == "a\\u{202E}bc↵d"


def test_a_fingerprint_names_rule_server_subject_and_place() -> None:
    """Source: reports.md, section 6; sha256 of 'checks\\0crash\\0weather\\0read\\0'."""
    assert fingerprint("crash", "weather", "read", None) == fingerprint(
        "crash", "weather", "read", ""
    )
    others = {
        fingerprint("crash", "weather", "read", None),
        fingerprint("hang", "weather", "read", None),
        fingerprint("crash", "other", "read", None),
        fingerprint("crash", "weather", "write", None),
        fingerprint("crash", "weather", "read", "/a"),
        fingerprint("crash", "weather", "re\ud800ad", None),
    }
    assert len(others) == 6
    assert all(len(one) == 16 and int(one, 16) >= 0 for one in others)


def test_the_fingerprint_is_that_of_the_documented_parts() -> None:
    expected = hashlib.sha256(b"checks\0crash\0weather\0read\0").hexdigest()[:16]

    assert fingerprint("crash", "weather", "read", None) == expected


def test_fingerprints_use_the_reports_name_of_the_server() -> None:
    named = replace(NAMELESS, server_name="weather-mcp")

    own = check(named, config()).problems[0].fingerprint
    alias = check(named, config(), server="weather").problems[0].fingerprint

    assert own == fingerprint("description-missing", "weather-mcp", "read", None)
    assert alias == fingerprint("description-missing", "weather", "read", None)


def test_a_server_that_never_started_has_its_problem_all_the_same() -> None:
    evidence = replace(
        seeing(saw(Kind.START_CRASH, "it ended", exit="exit code 1", last_line="no module")),
        revision="",
    )

    [problem] = checked(evidence).problems

    assert (problem.tool, problem.rule) == (WHOLE_SERVER, "start-crash")
    assert "exit code 1" in problem.message
    assert "no module" in problem.message


def test_cards_are_those_of_the_rules_that_are_named() -> None:
    found = checked(NAMELESS)

    assert {card.id for card in found.cards} == {problem.rule for problem in found.problems}


def test_limits_come_from_the_config() -> None:
    long = listing(sample(description="word " * 30))

    assert broken(long, max_description_length=100) == [("get_weather", "description-length")]
    assert broken(long, max_tokens=10) == [(WHOLE_SERVER, "token-budget")]
    assert broken(long) == []


def test_traits_that_no_rule_is_about_are_noted_once() -> None:
    evidence = replace(
        seeing(
            saw(Kind.EXIT_STATUS, "it ended with exit code 3"),
            *[saw(Kind.UNDECLARED_REQUEST, "asked for roots/list", tool="a")] * 3,
        ),
        calls=(
            called(RpcError(0, "task not found")),
            called(RpcError(0, "task 7 not found")),
            called(RpcError(-32603, "getaddrinfo ENOTFOUND api.acme.test")),
            called(answer("connect ECONNREFUSED 127.0.0.1:9", isError=True)),
            called(answer("ok")),
        ),
    )

    messages = [note.message for note in checked(evidence).notes]

    assert len(messages) == 4
    assert "roots/list" in messages[0] or "roots/list" in messages[1]
    assert any("3 times" in message for message in messages)
    assert any("2 calls of 1 tool" in m and "the network" in m for m in messages)
    assert any(m.startswith("0 is no JSON-RPC error code") and "2 calls" in m for m in messages)


def test_each_tool_gives_its_label_to_the_flaw() -> None:
    def find(tool: Any) -> Iterator[Flaw]:
        yield Flaw(f"seen {tool.index}")

    found = check(listing({"name": " "}, sample("b")), config(), rules=[made(each_tool(find))])

    assert [(p.tool, p.message) for p in found.problems] == [
        ("<index 0>", "seen 0"),
        ("b", "seen 1"),
    ]
