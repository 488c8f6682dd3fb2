"""The session alone: whatever a server sends, nothing raises and each request has its end."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.connection.memory import seen_by, session
from toolproof.connection.observations import Kind
from toolproof.connection.wire import Ending, Failure

CALL = {"name": "echo", "arguments": {"city": "Oslo", "n": 3}}

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=8,
)
idents: st.SearchStrategy[Any] = (
    st.sampled_from([1, 2, 3, 0, -1, 99, "1", "x", 1.0, 1.5, None, True, [], {}]) | scalars
)
errors = st.fixed_dictionaries({}, optional={"code": values, "message": values, "data": values})
requests = st.dictionaries(
    st.text(max_size=3),
    st.fixed_dictionaries({}, optional={"method": values, "params": values}) | values,
    max_size=2,
)
results = st.fixed_dictionaries(
    {},
    optional={
        "resultType": st.sampled_from(["complete", "input_required", "task", 5, None]),
        "inputRequests": requests | values,
        "requestState": values,
        "content": values,
    },
)
methods = st.sampled_from(
    ["ping", "roots/list", "notifications/progress", "notifications/tools/list_changed", "x", 5]
)
params = (
    st.fixed_dictionaries({}, optional={"progressToken": idents, "progress": values, "x": values})
    | values
)
hostile = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "1.0", 2, None]),
        "id": idents,
        "result": results | values,
        "error": errors | values,
        "method": methods | values,
        "params": params,
    },
)


@given(st.lists(hostile | st.lists(hostile, max_size=2) | values, max_size=8), st.booleans())
def test_whatever_a_server_sends_every_request_has_one_outcome(
    messages: list[Any],
    modern: bool,
) -> None:
    async def run() -> None:
        made, _ = session("2026-07-28" if modern else "2025-11-25")
        futures = [made.request_nowait("tools/call", CALL) for _ in range(2)]
        futures.append(made.request_nowait("tools/list", {}))
        for message in messages:
            made.on_message(message, json.dumps(message).encode())
        made.on_lost("gone", ending=Ending("exit code 1", "", made.now()))
        for future in futures:
            outcome = await future
            given = [outcome.result, outcome.error, outcome.failure]
            assert sum(one is not None for one in given) == 1
            assert outcome.failure is None or outcome.detail
        await made.close()

    asyncio.run(run())


async def test_headers_of_the_stateless_revision_name_method_tool_and_marked_arguments() -> None:
    made, loop = session("2026-07-28", over_http=True)
    made.marked["echo"] = ((("city",), "City"), (("n",), "N"), (("none",), "None"))

    made.request_nowait("tools/call", CALL)
    made.request_nowait("resources/read", {"uri": "doc://\u00e6"})
    made.notify("notifications/acme")

    assert loop.headers[0] == {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "echo",
        "Mcp-Param-City": "Oslo",
        "Mcp-Param-N": "3",
    }
    assert loop.headers[1] is not None
    assert loop.headers[1]["Mcp-Name"] == "=?base64?ZG9jOi8vw6Y=?="
    assert loop.headers[2] == {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "notifications/acme",
    }
    await made.close()


async def test_a_stateless_request_is_stamped_and_keeps_the_meta_of_its_caller() -> None:
    made, loop = session("2026-07-28")

    made.request_nowait("tools/call", {**CALL, "_meta": {"traceparent": "x"}})
    made.request_nowait("tools/list", {}, stamp={"io.modelcontextprotocol/protocolVersion": "1"})
    made.request_nowait("tools/list", {}, stamp={})

    meta = loop.sent[0]["params"]["_meta"]
    assert meta["traceparent"] == "x"
    assert meta["progressToken"] == 1
    assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
    assert meta["io.modelcontextprotocol/clientCapabilities"] == {}
    assert meta["io.modelcontextprotocol/clientInfo"]["name"] == "toolproof"
    assert loop.sent[1]["params"]["_meta"] == {"io.modelcontextprotocol/protocolVersion": "1"}
    assert "_meta" not in loop.sent[2]["params"]
    await made.close()


async def test_over_http_a_modern_request_is_given_up_by_closing_its_response() -> None:
    made, loop = session("2026-07-28", over_http=True)

    outcome = await made.request("tools/call", CALL, idle_s=0.01)

    assert outcome.failure is Failure.TIMEOUT
    assert loop.abandoned == [1]
    assert len(loop.sent) == 1
    await made.close()


async def test_nothing_more_goes_into_a_pipe_that_is_not_read() -> None:
    made, loop = session()
    loop.unsent = 100

    await made.request("tools/call", CALL, idle_s=0.01)

    assert len(loop.sent) == 1
    await made.close()


async def test_a_response_to_its_own_post_needs_no_id() -> None:
    made, _ = session(over_http=True)
    futures = [made.request_nowait("tools/call", CALL) for _ in range(2)]
    error = {"code": -32700, "message": "cannot parse"}

    made.on_message({"jsonrpc": "2.0", "id": None, "error": error}, b"{}", reply_to=2)
    made.on_message({"jsonrpc": "2.0", "id": 77, "result": {}}, b"{}", reply_to=1)

    assert (await futures[1]).error == error
    assert (await futures[0]).failure is Failure.MALFORMED
    assert seen_by(made) == {Kind.WRONG_RESPONSE_ID}
    await made.close()


async def test_what_is_given_up_is_remembered_within_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("toolproof.connection.session._MOST_GIVEN_UP", 2)
    made, _ = session()
    futures = [made.request_nowait("tools/call", CALL, idle_s=0.01) for _ in range(3)]
    await asyncio.gather(*futures)

    assert list(made.given_up) == [2, 3]
    await made.close()


async def test_notifications_are_counted_and_kept_within_bounds() -> None:
    made, _ = session()
    for number in range(2000):
        message = {"jsonrpc": "2.0", "method": f"notifications/{number}", "params": {"n": number}}
        made.on_message(message, b"x" * (100_000 if number == 1999 else 10))

    assert made.incoming.counts.total() == 2000
    assert len(made.incoming.counts) == 1001
    assert len(made.incoming.kept) == 1000
    assert made.incoming.kept[-1] == ("notifications/1999", None)
    await made.close()


async def test_an_error_without_an_id_while_nothing_is_asked_answers_a_notification() -> None:
    made, _ = session()
    made.notify("notifications/initialized")

    made.on_message({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "?"}}, b"{}")

    assert seen_by(made) == {Kind.NOTIFICATION_ANSWERED}
    await made.close()


async def test_an_unknown_id_while_nothing_is_asked_answers_a_notification() -> None:
    made, _ = session()
    made.notify("notifications/initialized")

    made.on_message({"jsonrpc": "2.0", "id": 0}, b"{}")

    assert seen_by(made) == {Kind.NOTIFICATION_ANSWERED}
    await made.close()


async def test_an_unknown_id_right_after_a_notification_may_be_for_the_request() -> None:
    made, _ = session()
    made.notify("notifications/initialized")
    future = made.request_nowait("tools/list", {}, idle_s=0.05)

    made.on_message({"jsonrpc": "2.0", "id": 0, "result": {}}, b"{}")

    assert (await future).detail == "answered with id 0 in place of 1"
    assert seen_by(made) == {Kind.WRONG_RESPONSE_ID}
    await made.close()


async def test_a_held_error_is_the_answer_at_the_limit_if_that_comes_first() -> None:
    made, _ = session()
    made.notify("notifications/initialized")
    future = made.request_nowait("tools/list", {}, idle_s=0.05)
    error = {"code": -32603, "message": "broken"}

    made.on_message({"jsonrpc": "2.0", "id": None, "error": error}, b"{}")

    assert (await future).error == error
    await made.close()


async def test_what_was_in_flight_is_told_only_if_it_is_one() -> None:
    made, _ = session()
    assert made.waiting.in_flight() == (None, None)
    made.request_nowait("tools/call", {"name": "a"})
    made.request_nowait("tools/call", {"name": "a"})
    assert made.waiting.in_flight() == ("a", "tools/call")
    made.request_nowait("tools/list", {})
    assert made.waiting.in_flight() == ("a", None)
    made.request_nowait("tools/call", {"name": "b"})
    assert made.waiting.in_flight() == (None, None)
    made.request_nowait("tools/call", {"name": 5})
    assert made.waiting.sole() is None
    await made.close()


async def test_a_failure_told_twice_ends_its_request_once() -> None:
    made, _ = session(over_http=True)
    future = made.request_nowait("tools/call", CALL)

    made.on_failure(1, Failure.MALFORMED, "not JSON", http_status=200, raw=b"<html>")
    made.on_failure(1, Failure.LOST, "again")

    outcome = await future
    assert (outcome.failure, outcome.http_status, outcome.raw) == (
        Failure.MALFORMED,
        200,
        b"<html>",
    )
    await made.close()


async def test_what_the_handshake_left_unanswered_is_waited_for_no_more() -> None:
    made, _ = session()
    probe = made.request_nowait("server/discover", {})
    made.mark_opened()
    made.on_message({"jsonrpc": "2.0", "id": 1, "result": {}}, b"{}")

    assert probe.cancelled()
    assert made.waiting.sole() is None
    assert seen_by(made) == set()
    await made.close()


async def test_a_loss_is_told_once() -> None:
    made, _ = session()
    made.on_lost("first")
    made.on_lost("second")

    assert made.lost == "first"
    assert (await made.request("tools/list", {})).detail == "first"
    await made.close()
