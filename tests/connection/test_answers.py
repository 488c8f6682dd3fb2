"""Every row of the table of answers, against a real process each."""

import asyncio

import pytest

from tests.connection.against import against, kinds, only
from toolproof.connection.observations import Kind
from toolproof.connection.wire import Failure
from toolproof.report.call import Answer, ConnectionLost, Malformed, RpcError, TimedOut


@pytest.mark.parametrize(
    ("trait", "words"),
    [
        ("no_result", "neither result nor error"),
        ("result_null", "result is null"),
        ("result_list", "result is a list"),
        ("both", "both result and error"),
        ("string_code", 'error code is "E_BAD"'),
        ("float_code", "error code is -32602.0"),
        ("error_string", "error is a string"),
    ],
)
async def test_what_is_no_answer_fails_its_call_at_once(trait: str, words: str) -> None:
    async with against("answering", trait) as server:
        outcome = await server.call_outcome("echo", {"text": "hi"}, idle_s=60)

    assert outcome.failure is Failure.MALFORMED
    assert words in outcome.detail
    assert outcome.raw
    seen = only(server, Kind.RESPONSE_INVALID)
    assert words in seen.detail
    assert seen.tool == "echo"


async def test_an_error_is_the_reply_as_it_came() -> None:
    async with against("answering", "refused") as server:
        result = await server.call("echo", {})

    assert result.reply == RpcError(-32602, "text is missing", {"at": "text"})
    assert result.error_code == -32602
    assert kinds(server) == {}


async def test_an_error_without_a_message_is_an_error_and_told() -> None:
    async with against("answering", "no_message") as server:
        result = await server.call("echo", {})

    assert result.reply == RpcError(-32000, "")
    assert kinds(server) == {Kind.RESPONSE_INVALID: 1}


async def test_a_response_with_a_method_is_delivered_and_told() -> None:
    async with against("answering", "method_too") as server:
        result = await server.call("echo", {})

    assert result.text == "hi"
    assert kinds(server) == {Kind.RESPONSE_INVALID: 1}


@pytest.mark.parametrize("trait", ["string_id", "float_id"])
async def test_an_id_of_another_type_is_delivered_and_told(trait: str) -> None:
    async with against("answering", trait) as server:
        assert (await server.call("echo", {"text": "hi"})).text == "hi"

    assert kinds(server) == {Kind.WRONG_RESPONSE_ID: 1}
    assert only(server, Kind.WRONG_RESPONSE_ID).tool == "echo"


@pytest.mark.parametrize(("trait", "shown"), [("unknown_id", "9999"), ("object_id", '{"a": 1}')])
async def test_an_id_that_nobody_used_fails_the_one_call_in_flight(trait: str, shown: str) -> None:
    async with against("answering", trait) as server:
        result = await server.call("echo", {"text": "hi"}, timeout_s=60)

    assert isinstance(result.reply, Malformed)
    assert f"answered with id {shown}" in result.reply.detail
    assert only(server, Kind.WRONG_RESPONSE_ID).facts["id"] == shown


async def test_an_id_that_nobody_used_fails_no_call_while_there_are_several() -> None:
    async with against("answering", "unknown_id") as server:
        calls = [server.call("echo", {"text": "hi"}, timeout_s=0.5) for _ in range(2)]
        results = await asyncio.gather(*calls)

    assert all(isinstance(result.reply, TimedOut) for result in results)
    assert kinds(server)[Kind.WRONG_RESPONSE_ID] == 2


async def test_a_result_without_an_id_ends_no_call() -> None:
    async with against("answering", "null_id_result") as server:
        assert (await server.call("echo", {"text": "hi"})).text == "hi"

    assert kinds(server) == {Kind.NOTIFICATION_ANSWERED: 1}


@pytest.mark.parametrize("trait", ["null_id_error", "no_id_error"])
async def test_an_error_without_an_id_is_the_one_call_s(trait: str) -> None:
    async with against("answering", trait) as server:
        await server.list_tools()
        result = await server.call("echo", {}, timeout_s=60)

    assert result.reply == RpcError(-32602, "text is missing")
    seen = only(server, Kind.WRONG_RESPONSE_ID)
    assert seen.facts["text"] == "text is missing"
    assert seen.tool == "echo"


async def test_errors_without_an_id_are_shown_with_the_timeouts_of_several_calls() -> None:
    async with against("answering", "null_id_error") as server:
        await server.list_tools()
        calls = [server.call("echo", {}, timeout_s=0.5) for _ in range(2)]
        results = await asyncio.gather(*calls)

    assert all(result.timed_out for result in results)
    assert all("text is missing" in (result.transport_error or "") for result in results)


async def test_the_first_request_after_a_notification_may_be_refused_without_an_id() -> None:
    """The error might be for the notification; no other answer comes, so it is the request's."""
    async with against("answering", "null_id_for_lists") as server:
        found = await server.outcome("tools/list", {}, idle_s=60)

    assert found.error == {"code": -32603, "message": "broken"}
    assert kinds(server) == {Kind.WRONG_RESPONSE_ID: 1}


@pytest.mark.parametrize(
    "trait",
    [
        "notifications_answered",
        "notifications_answered_vaguely",
        "notifications_answered_with_result",
        "notifications_answered_with_zero",
    ],
)
async def test_an_answer_to_a_notification_costs_no_request(trait: str) -> None:
    async with against("answering", trait) as server:
        tools = await server.list_tools()
        result = await server.call("echo", {"text": "hi"})

    assert [tool.name for tool in tools] == ["echo"]
    assert result.text == "hi"
    assert kinds(server) == {Kind.NOTIFICATION_ANSWERED: 1}


async def test_a_message_that_is_neither_request_nor_response_is_told() -> None:
    async with against("answering", "nothing_at_all") as server:
        assert (await server.call("echo", {"text": "hi"})).text == "hi"

    assert kinds(server) == {Kind.RESPONSE_INVALID: 1}


async def test_a_second_answer_is_told_and_changes_nothing() -> None:
    async with against("answering", "twice") as server:
        texts = [(await server.call("echo", {"text": word})).text for word in ("a", "b", "c")]

    assert texts == ["a", "b", "c"]
    assert kinds(server)[Kind.SECOND_ANSWER] >= 2
    assert {one.tool for one in server.log.each(Kind.SECOND_ANSWER)} == {"echo"}


async def test_a_late_answer_is_told_with_its_delay_and_disturbs_no_other_call() -> None:
    async with against("answering", "late") as server:
        late = await server.call("echo", {"text": "late"}, timeout_s=0.1)
        after = await server.call("echo", {"text": "after"})

    assert late.timed_out
    assert after.text == "after"
    assert only(server, Kind.LATE_ANSWER).facts["late_s"] > 0
    assert server.restarts == 0


async def test_answers_in_another_order_reach_their_calls() -> None:
    async with against("answering", "mixed_up") as server:
        words = ["a", "b"]
        results = await asyncio.gather(*[server.call("echo", {"text": w}) for w in words])

    assert [result.text for result in results] == words
    assert all(isinstance(result.reply, Answer) for result in results)
    assert kinds(server) == {}


async def test_a_server_that_answers_any_method_with_nothing_is_an_older_one() -> None:
    async with against("answering", "empty_for_all") as server:
        info = await server.server_info()

    assert info.protocol == "2025-11-25"
    assert kinds(server) == {}


async def test_an_error_to_ping_is_a_sign_of_life() -> None:
    async with against("answering", "refuses_ping") as server:
        assert await server.is_alive()

    assert not await server.is_alive()


async def test_a_call_without_a_connection_is_lost() -> None:
    server = against("answering", "late")
    async with server:
        pass

    result = await server.call("echo", {"text": "hi"})

    assert isinstance(result.reply, ConnectionLost)
