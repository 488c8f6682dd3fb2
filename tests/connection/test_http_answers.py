"""What HTTP answers mean: content types, statuses, and answers to notifications."""

import asyncio

import pytest

from tests.connection.recording import wire
from tests.servers.http_scripted import (
    Asked,
    Part,
    Script,
    chunk,
    error,
    event,
    events,
    head,
    reply,
    response,
    result,
    serving,
)
from toolproof.connection.observations import Kind
from toolproof.connection.wire import Failure

# Content types


async def test_json_without_a_content_type_is_told_and_delivered() -> None:
    script = lambda asked: reply(body=response(asked), kind=None)  # noqa: E731
    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("initialize")

    assert got.value["result"] == {}
    (seen,) = open_wire.log.each(Kind.HTTP_CONTENT_TYPE)
    assert "initialize was answered without a content type (status 200): {" in seen.detail
    assert (seen.facts["status"], seen.facts["type"]) == (200, "")
    assert open_wire.transport.refusal is None


async def test_an_event_stream_of_another_type_is_told_and_read() -> None:
    def script(asked: Asked) -> list[Part]:
        made = {"Content-Type": "text/plain", "Transfer-Encoding": "chunked"}
        return [head(200, made), chunk(event(response(asked), event="message")), asyncio.Event()]

    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/list")

    assert got.value["result"] == {}
    assert "with the type 'text/plain' (status 200)" in open_wire.saw(Kind.HTTP_CONTENT_TYPE)[0]


@pytest.mark.parametrize("kind", ["text/plain", "application/json"])
async def test_a_message_that_is_no_response_fails_its_request(kind: str) -> None:
    body = '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}'
    async with serving(lambda _: reply(200, body, kind)) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/list")

    assert [one.to for one in open_wire.receiver.got] == [None, 1]
    assert open_wire.receiver.got[1].detail == "the body holds no response"
    assert got.failure is Failure.MALFORMED


async def test_a_page_in_html_fails_the_request_and_the_start() -> None:
    page = "<!doctype html>\n<title>Sign in</title>" + "x" * 5000
    async with (
        serving(lambda _: reply(200, page, "text/html; charset=utf-8")) as server,
        wire(server.url) as open_wire,
    ):
        got = await open_wire.ask("server/discover", modern=True)

    assert (got.failure, got.status) == (Failure.MALFORMED, 200)
    (seen,) = open_wire.log.each(Kind.HTTP_CONTENT_TYPE)
    assert "<!doctype html> <title>Sign in</title>" in seen.detail
    assert len(seen.facts["body"]) == 2048
    refusal = open_wire.transport.refusal
    assert refusal is not None
    assert refusal.hint == "Correct the URL: this is no MCP endpoint."
    assert refusal.where == server.url


@pytest.mark.parametrize("status", [202, 204])
async def test_a_request_that_is_only_accepted_fails_at_once(status: int) -> None:
    async with serving(lambda _: reply(status)) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/list")

    assert got.failure is Failure.MALFORMED
    assert f"without a content type (status {status}) and without a body" in got.detail


# Statuses


@pytest.mark.parametrize("status", [400, 404, 409, 422, 500])
async def test_an_error_body_is_read_whatever_the_status(status: int) -> None:
    script = lambda asked: error(asked, -32022, status)  # noqa: E731
    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/list", modern=True)

    assert got.value["error"]["code"] == -32022
    assert not open_wire.kinds


async def test_an_event_stream_is_read_whatever_the_status() -> None:
    def script(asked: Asked) -> list[Part]:
        stream = event(response(asked))
        return [
            head(400, {"Content-Type": "text/event-stream", "Content-Length": str(len(stream))}),
            stream,
        ]

    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/list")

    assert got.value["result"] == {}


async def test_a_message_with_an_error_status_that_is_no_response_fails_its_request() -> None:
    body = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
    async with serving(lambda _: reply(400, body)) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/list")
        await open_wire.receiver.until(lambda all_: len(all_.got) == 2)

    assert (got.failure, got.status) == (Failure.MALFORMED, 400)


async def test_a_401_with_metadata_says_where_it_is() -> None:
    metadata = "https://auth.example/.well-known/oauth-protected-resource"
    header = f'Bearer error="invalid_token", resource_metadata="{metadata}"'
    async with (
        serving(lambda _: reply(401, '{"error":"x"}', WWW_Authenticate=header)) as server,
        wire(server.url) as open_wire,
    ):
        got = await open_wire.ask("server/discover", modern=True)

    assert got.status == 401
    (seen,) = open_wire.log.each(Kind.HTTP_AUTH_REQUIRED)
    assert seen.facts == {"metadata": metadata}
    refusal = open_wire.transport.refusal
    assert refusal is not None
    assert refusal.message == f"authentication is required (401); metadata: {metadata}"
    assert "--header 'Authorization: Bearer ${TOKEN}'" in (refusal.hint or "")


@pytest.mark.parametrize(
    "header", [None, "Bearer", 'Basic realm="x"', 'Bearer resource_metadata=""']
)
async def test_a_401_that_does_not_say_how_to_sign_in(header: str | None) -> None:
    headers = {} if header is None else {"WWW_Authenticate": header}
    async with (
        serving(lambda _: reply(401, b"no", None, **headers)) as server,
        wire(server.url, headers={"Authorization": "Bearer x"}) as open_wire,
    ):
        got = await open_wire.ask("initialize")

    assert open_wire.kinds == {Kind.HTTP_AUTH_CHALLENGE}
    assert "the credentials are refused (401)" in got.detail
    assert server.asked == ["initialize", "GET", "GET"]  # for the metadata, in vain


@pytest.mark.parametrize("place", ["/mcp", ""])
async def test_metadata_at_a_well_known_address_is_enough(place: str) -> None:
    """MCP 2025-11-25, basic/authorization: the header or the well-known address."""
    target = f"/.well-known/oauth-protected-resource{place}"

    def script(asked: Asked) -> list[Part]:
        if asked.method == "GET":
            return reply(200, '{"resource":"x"}') if asked.target == target else reply(404)
        return reply(401, WWW_Authenticate="Bearer")

    async with (
        serving(script) as server,
        wire(server.url, headers={"X-Key": "secret"}) as open_wire,
    ):
        got = await open_wire.ask("server/discover", modern=True)

    assert open_wire.kinds == {Kind.HTTP_AUTH_REQUIRED}
    assert f"metadata: {server.origin}{target}, a well-known address" in got.detail
    assert all("x-key" not in asked.headers for asked in server.seen if asked.method == "GET")


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (421, "Invalid Host header"),
        (421, ""),
        (403, "Forbidden: 127.0.0.1:{port} is not on the list"),
        (403, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Invalid Host: x"}}'),
        (403, "DNS rebinding protection"),
    ],
)
async def test_a_refused_host_is_named(status: int, body: str) -> None:
    def script(_: Asked) -> list[Part]:
        return reply(status, body.replace("{port}", str(server.port)), "text/plain")

    async with serving(script) as server, wire(server.url) as open_wire:
        await open_wire.ask("server/discover", modern=True)

    assert open_wire.kinds == {Kind.HTTP_HOST_REFUSED}
    (seen,) = open_wire.log.each(Kind.HTTP_HOST_REFUSED)
    assert seen.facts == {"status": status, "host": f"127.0.0.1:{server.port}"}
    assert f"'127.0.0.1:{server.port}'" in seen.detail
    assert open_wire.transport.refusal is not None


async def test_a_missing_scope_is_named() -> None:
    header = 'Bearer error="insufficient_scope", scope="tools:write"'
    async with (
        serving(lambda _: reply(403, "{}", WWW_Authenticate=header)) as server,
        wire(server.url) as open_wire,
    ):
        got = await open_wire.ask("tools/call")

    assert got.detail == "the token lacks the scope 'tools:write' (403, insufficient_scope)"
    assert open_wire.transport.refusal is None  # only an opening request ends the start


async def test_a_refused_origin_is_not_mistaken_for_a_refused_host() -> None:
    async with (
        serving(lambda _: reply(403, "Invalid Origin header", "text/plain")) as server,
        wire(server.url) as open_wire,
    ):
        got = await open_wire.ask("initialize")

    assert "refuses the origin, though none was sent" in got.detail


async def test_a_403_on_a_call_with_a_message_of_its_own_is_that_message() -> None:
    script = lambda asked: error(asked, -32000, 403, "not yours")  # noqa: E731
    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/call")

    assert got.value["error"]["message"] == "not yours"


async def test_an_older_server_that_refuses_the_probe_is_at_no_fault() -> None:
    script = lambda _: reply(400, "Invalid or missing session ID", "text/html")  # noqa: E731
    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("server/discover", modern=True)

    assert (got.failure, got.status) == (Failure.MALFORMED, 400)
    assert open_wire.transport.refusal is None
    assert not open_wire.kinds


async def test_a_wrong_path_is_told_with_type_and_first_bytes() -> None:
    async with (
        serving(lambda _: reply(404, "<pre>Cannot POST /mcp</pre>", "text/html")) as server,
        wire(server.url) as open_wire,
    ):
        await open_wire.ask("initialize")

    (seen,) = open_wire.log.each(Kind.HTTP_CONTENT_TYPE)
    assert "HTTP 404 (Not Found), type 'text/html': <pre>Cannot POST /mcp</pre>" in seen.detail
    refusal = open_wire.transport.refusal
    assert refusal is not None
    assert "Correct the path" in (refusal.hint or "")
    assert server.asked == ["initialize", "GET"]


@pytest.mark.parametrize("status", [400, 404, 405])
async def test_the_transport_of_2024_11_05_is_recognised(status: int) -> None:
    def script(asked: Asked) -> list[Part]:
        if asked.method == "POST":
            return reply(status)
        return events(b"event: endpoint\ndata: /messages?session=1\n\n", asyncio.Event())

    async with serving(script) as server, wire(server.url) as open_wire:
        await open_wire.ask("server/discover", modern=True)
        await open_wire.ask("initialize")

    assert open_wire.kinds == {Kind.HTTP_LEGACY_SSE}
    assert "legacy HTTP+SSE" in open_wire.saw(Kind.HTTP_LEGACY_SSE)[0]
    refusal = open_wire.transport.refusal
    assert refusal is not None
    assert "legacy HTTP+SSE" in refusal.message


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504])
async def test_a_blocked_way_is_tried_again_once(status: int) -> None:
    tries = 0

    def script(asked: Asked) -> list[Part]:
        nonlocal tries
        tries += 1
        return reply(status, Retry_After="0") if tries == 1 else result(asked)

    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/call")

    assert got.value["result"] == {}
    assert not open_wire.kinds


@pytest.mark.parametrize(("retry_after", "tries"), [("0", 2), ("3600", 1)])
async def test_a_way_that_stays_blocked_is_not_the_servers_fault(
    retry_after: str, tries: int
) -> None:
    script = lambda _: reply(503, "<h1>down", "text/html", Retry_After=retry_after)  # noqa: E731
    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("initialize")

    assert (got.failure, got.status) == (Failure.LOST, 503)
    assert "no answer of the server itself: HTTP 503 (Service Unavailable)" in got.detail
    assert len(server.seen) == tries
    assert open_wire.kinds == {Kind.HTTP_STATUS}


# Notifications


@pytest.mark.parametrize(
    "answer",
    [
        lambda _: reply(200, '{"jsonrpc":"2.0","result":{}}'),
        lambda _: reply(202, '{"result":null}'),
        lambda _: reply(200, '{"jsonrpc":"2.0","id":1,"result":"' + "x" * 70_000 + '"}'),
        lambda _: events(event('{"jsonrpc":"2.0","result":{}}')),
    ],
    ids=["200", "202", "long", "event"],
)
async def test_a_notification_that_is_answered_is_told(answer: Script) -> None:
    script = lambda asked: result(asked) if "id" in asked.json else answer(asked)  # noqa: E731
    async with serving(script) as server, wire(server.url) as open_wire:
        open_wire.notify("notifications/roots/list_changed")
        await open_wire.log.written.wait()

    assert open_wire.kinds == {Kind.NOTIFICATION_ANSWERED}
    assert "202 and an empty body are due" in open_wire.saw(Kind.NOTIFICATION_ANSWERED)[0]
    assert not open_wire.receiver.got


@pytest.mark.parametrize(
    ("status", "kind"), [(400, Kind.NOTIFICATION_ANSWERED), (404, Kind.HTTP_STATUS)]
)
async def test_a_refusal_of_what_every_client_must_send_is_an_answer(
    status: int, kind: Kind
) -> None:
    """But for 404, which says that the session is over."""
    refused = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}'
    async with serving(lambda _: reply(status, refused)) as server, wire(server.url) as open_wire:
        open_wire.notify("notifications/initialized")
        await open_wire.log.written.wait()

    assert open_wire.kinds == {kind}
    assert f"HTTP {status}" in open_wire.saw(kind)[0]


@pytest.mark.parametrize(
    "answer",
    [
        lambda _: reply(200),
        lambda _: reply(202, "Accepted", "text/plain"),
        lambda _: reply(400, '{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}'),
        lambda _: reply(500, "<h1>oops", "text/html"),
    ],
    ids=["200", "a word", "refused", "500"],
)
async def test_a_notification_that_is_taken_oddly_is_noted(answer: Script) -> None:
    async with serving(answer) as server, wire(server.url) as open_wire:
        open_wire.notify("notifications/cancelled")
        await open_wire.log.written.wait()

    assert open_wire.kinds == {Kind.HTTP_STATUS}
