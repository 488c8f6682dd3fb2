"""What a server asks its client for is answered at once, as configured, and told if undeclared."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.connection.against import against, kinds, only
from toolproof.config.client import ClientConfig
from toolproof.connection.answers import ClientAnswers, answers_of, scripted
from toolproof.connection.observations import Kind
from toolproof.connection.wire import Failure
from toolproof.report.call import Malformed

ALL = ClientAnswers(
    roots=[{"uri": "file:///project", "name": "project"}],
    sampling=lambda _: {"role": "assistant", "content": {"type": "text", "text": "hi"}},
    elicitation={"name": "Ada", "age": 36, "unasked": True},
)


async def test_a_ping_is_answered_and_no_fault() -> None:
    async with against("asking", "ping") as server:
        result = await server.call("echo", {})

    assert result.text == "{'id': 'ask-1', 'result': {}}"
    assert kinds(server) == {}


@pytest.mark.parametrize(
    ("trait", "asked", "code"),
    [
        ("roots", "roots/list", -32601),
        ("sampling", "sampling/createMessage", -32601),
        ("form", "elicitation/create", -32601),
        ("url", "elicitation/create", -32602),
        ("unknown", "acme/dance", -32601),
    ],
)
async def test_what_was_not_declared_is_refused_and_told(trait: str, asked: str, code: int) -> None:
    async with against("asking", trait) as server:
        result = await server.call("echo", {})

    assert f"'code': {code}" in result.text
    seen = only(server, Kind.UNDECLARED_REQUEST)
    assert seen.facts == {"asked": asked}
    assert seen.tool == "echo"


@pytest.mark.parametrize(
    ("trait", "words"),
    [
        ("roots", "{'roots': [{'uri': 'file:///project', 'name': 'project'}]}"),
        ("sampling", "{'role': 'assistant', 'content': {'type': 'text', 'text': 'hi'}}"),
        ("form", "{'action': 'accept', 'content': {'name': 'Ada', 'age': 36}}"),
    ],
)
async def test_what_is_configured_is_declared_and_answered(trait: str, words: str) -> None:
    async with against("asking", trait, answers=ALL) as server:
        result = await server.call("echo", {})

    assert words in result.text
    assert kinds(server) == {}


async def test_a_url_is_never_opened_though_forms_are_filled() -> None:
    async with against("asking", "url", answers=ALL) as server:
        assert "-32602" in (await server.call("echo", {})).text

    assert kinds(server) == {Kind.UNDECLARED_REQUEST: 1}


async def test_requests_with_ids_that_nobody_can_answer_are_told() -> None:
    async with against("asking", "odd_ids") as server:
        result = await server.call("echo", {"text": "all"})

    assert result.text == "asked all"
    assert kinds(server) == {Kind.RESPONSE_INVALID: 6}


async def test_changes_of_lists_are_told_and_all_notifications_are_handed_on() -> None:
    heard: list[str] = []
    async with against("asking", "changes") as server:
        server.subscribers.append(lambda method, _: heard.append(method))
        await server.call("echo", {})
        await server.reconnect()
        await server.call("echo", {})
        counts = server.session.incoming.counts

    assert [seen.facts["what"] for seen in server.log.each(Kind.LIST_CHANGED)] == [
        "tools",
        "prompts",
    ] * 2
    assert heard.count("notifications/acme") == 2
    assert counts["notifications/acme"] == 1


# The stateless revision asks by results


async def test_input_that_is_required_is_given_under_a_new_id_with_the_exact_state() -> None:
    async with against("asking", "needs_roots_and_form", answers=ALL) as server:
        result = await server.call("echo", {"text": "hi"})

    assert "'requestState': 'opaque \u00e6'" in result.text
    assert "'f': {'action': 'accept', 'content': {'name': 'Ada', 'age': 36}}" in result.text
    assert "'arguments': {'text': 'hi'}" in result.text
    assert kinds(server) == {}


async def test_a_state_alone_is_sent_back_round_by_round() -> None:
    async with against("asking", "needs_nothing_but_state") as server:
        result = await server.call("echo", {})

    assert "'inputResponses': None, 'requestState': 'again'" in result.text
    assert kinds(server) == {}


async def test_input_that_nobody_configured_is_named_with_its_setting() -> None:
    async with against("asking", "needs_roots_and_form") as server:
        outcome = await server.call_outcome("echo", {})
        result = await server.call("echo", {})

    assert outcome.failure is Failure.NEEDS_INPUT
    assert "roots/list (set client.roots)" in outcome.detail
    assert 'elicitation/create "Who?" (set client.elicitation)' in outcome.detail
    assert result.text.endswith("'arguments': {}}")
    assert kinds(server)[Kind.UNDECLARED_REQUEST] == 2


async def test_wishes_without_end_are_given_up() -> None:
    async with against("asking", "needs_for_ever", answers=ALL) as server:
        result = await server.call("echo", {})

    assert isinstance(result.reply, Malformed)
    assert "11 times" in result.reply.detail


@pytest.mark.parametrize(
    ("trait", "words"),
    [
        ("needs_emptily", "neither inputRequests nor requestState"),
        ("needs_oddly", "acme/dance"),
    ],
)
async def test_a_wish_that_makes_no_sense_fails_its_call(trait: str, words: str) -> None:
    async with against("asking", trait, answers=ALL) as server:
        outcome = await server.call_outcome("echo", {})

    assert outcome.failure is Failure.NEEDS_INPUT
    assert words in outcome.detail


async def test_a_request_of_a_modern_server_is_told_and_answered() -> None:
    async with against("asking", "asks_though_modern", answers=ALL) as server:
        assert (await server.call("echo", {})).text == "echo"

    assert "2026-07-28 does not know" in only(server, Kind.UNDECLARED_REQUEST).detail


# Answers alone


def test_the_client_section_of_a_config_becomes_answers(tmp_path: Path) -> None:
    client = ClientConfig.model_validate(
        {
            "roots": ["src"],
            "sampling": [{"when": 'Say "hi"\nplease', "text": "hi"}, {"when": "x", "text": "y"}],
            "elicitation": {"accept": {"name": "Ada"}},
        }
    )

    answers = answers_of(client, tmp_path)

    assert answers.capabilities == {"roots": {}, "sampling": {}, "elicitation": {"form": {}}}
    assert answers.roots == [{"uri": (tmp_path / "src").as_uri(), "name": "src"}]
    asked = {"messages": [{"content": {"type": "text", "text": 'Say "hi"\nplease'}}]}
    fits = answers.reply("sampling/createMessage", asked)
    assert fits.result is not None
    assert fits.result["content"] == {"type": "text", "text": "hi"}
    assert answers.reply("sampling/createMessage", {}).error == {
        "code": -1,
        "message": "no scripted answer fits",
    }


def test_a_script_may_be_made_of_mappings() -> None:
    sample = scripted([{"contains": "hi", "role": "assistant", "content": {}}])

    assert sample({"messages": ["say hi"]}) == {"role": "assistant", "content": {}}
    assert sample({"messages": []}) is None


def test_an_empty_client_section_declares_nothing() -> None:
    assert answers_of(ClientConfig(), Path()) == ClientAnswers()
    assert ClientAnswers().capabilities == {}


@pytest.mark.parametrize(
    ("field", "value", "fits"),
    [
        ({"type": "string"}, "a", True),
        ({"type": "string"}, 1, False),
        ({"type": "integer"}, True, False),
        ({"type": "boolean"}, True, True),
        ({"type": "number", "minimum": 2}, 1.5, False),
        ({"type": "integer", "maximum": 2}, 3, False),
        ({"type": "string", "maxLength": 2}, "abc", False),
        ({"enum": ["a", "b"]}, "c", False),
        ({"enum": ["a", "b"]}, "b", True),
        ({"type": "array"}, ["a"], True),
        ({"type": "acme"}, "a", True),
        ("no schema", "a", True),
    ],
)
def test_a_form_is_declined_where_a_value_does_not_fit(
    field: Any, value: Any, *, fits: bool
) -> None:
    answers = ClientAnswers(elicitation={"x": value})
    asked = {"requestedSchema": {"properties": {"x": field}, "required": ["x"]}}

    reply = answers.reply("elicitation/create", asked)

    assert reply.result == (
        {"action": "accept", "content": {"x": value}} if fits else {"action": "decline"}
    )


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=9,
)


@given(
    method=st.sampled_from(["roots/list", "sampling/createMessage", "elicitation/create", "x"]),
    params=json_values
    | st.fixed_dictionaries(
        {
            "requestedSchema": st.fixed_dictionaries(
                {"properties": json_values, "required": json_values}
            )
        }
    ),
)
def test_whatever_a_server_asks_has_an_answer(method: str, params: Any) -> None:
    for answers in (ClientAnswers(), ALL):
        reply = answers.reply(method, params)

        assert (reply.result is None) != (reply.error is None)
