"""Every row of the table of framing, against a real process each."""

import pytest

from tests.connection.against import against, kinds, only
from toolproof.connection.observations import Kind
from toolproof.connection.wire import Failure


async def test_a_banner_is_pollution_and_the_call_goes_on() -> None:
    async with against("framing", "banner") as server:
        result = await server.call("echo", {"text": "hi"})

    assert result.text == "hi"
    assert kinds(server) == {Kind.STDOUT_POLLUTION: 2}
    first = next(server.log.each(Kind.STDOUT_POLLUTION))
    assert first.facts["line"] == "=== Acme server v1.2 ==="
    assert first.tool is None


async def test_a_log_object_in_a_call_is_pollution_of_that_tool() -> None:
    async with against("framing", "log_object") as server:
        result = await server.call("echo", {"text": "hi"})

    assert result.text == "hi"
    assert only(server, Kind.STDOUT_POLLUTION).tool == "echo"
    assert only(server, Kind.STDOUT_POLLUTION).method == "tools/call"


@pytest.mark.parametrize(
    ("trait", "count"), [("number", 2), ("blank_lines", 2), ("half_banner", 2)]
)
async def test_what_is_no_message_is_pollution_line_by_line(trait: str, count: int) -> None:
    async with against("framing", trait) as server:
        assert (await server.call("echo", {"text": "hi"})).text == "hi"

    assert kinds(server) == {Kind.STDOUT_POLLUTION: count}


async def test_a_byte_order_mark_is_cut_off_and_told() -> None:
    async with against("framing", "bom") as server:
        assert (await server.call("echo", {"text": "hi"})).text == "hi"

    assert set(kinds(server)) == {Kind.STDOUT_BOM}


async def test_cr_lf_is_no_fault() -> None:
    async with against("framing", "crlf") as server:
        assert (await server.call("echo", {"text": "hi"})).text == "hi"

    assert kinds(server) == {}


async def test_bytes_that_are_not_utf8_are_replaced_and_told_with_their_offset() -> None:
    async with against("framing", "latin1") as server:
        result = await server.call("echo", {"text": "hi"})

    assert result.text == "sm\ufffdrbr\ufffdd"
    seen = only(server, Kind.INVALID_UTF8)
    assert seen.facts["byte"] == 0xF8
    assert seen.facts["offset"] > 0
    assert seen.tool == "echo"


async def test_nan_fails_its_call_at_once() -> None:
    async with against("framing", "nan") as server:
        outcome = await server.call_outcome("echo", {"text": "hi"})
        alive = await server.is_alive()

    assert outcome.failure is Failure.MALFORMED
    assert "NaN" in outcome.detail
    assert alive
    assert kinds(server) == {Kind.RESPONSE_INVALID: 1}


async def test_an_integer_that_python_cannot_read_fails_its_call_at_once() -> None:
    async with against("framing", "huge_number") as server:
        outcome = await server.call_outcome("echo", {"text": "hi"})

    assert outcome.failure is Failure.MALFORMED
    assert kinds(server) == {Kind.RESPONSE_INVALID: 1}


async def test_nesting_beyond_what_a_parser_bears_fails_its_call_at_once() -> None:
    async with against("framing", "deep") as server:
        outcome = await server.call_outcome("echo", {"text": "hi"})

    assert outcome.failure is Failure.MALFORMED
    assert "nested too deep" in outcome.detail
    assert kinds(server) == {Kind.RESPONSE_INVALID: 1}


async def test_a_lone_surrogate_is_delivered_and_told_with_its_place() -> None:
    async with against("framing", "lone_surrogate") as server:
        result = await server.call("echo", {"text": "hi"})

    assert result.text == "\ud83d"
    assert only(server, Kind.LONE_SURROGATE).facts["pointer"] == "/result/content/0/text"


async def test_pretty_printed_messages_are_named_as_such_and_delivered() -> None:
    async with against("framing", "pretty") as server:
        tools = await server.list_tools()
        result = await server.call("echo", {"text": "hi"})

    assert [tool.name for tool in tools] == ["echo"]
    assert result.text == "hi"
    details = [seen.detail for seen in server.log.each(Kind.STDOUT_POLLUTION)]
    assert all("pretty-printed over" in detail for detail in details)
    assert set(kinds(server)) == {Kind.STDOUT_POLLUTION}


@pytest.mark.parametrize("trait", ["no_version", "version_one"])
async def test_a_message_without_jsonrpc_two_is_delivered_and_told(trait: str) -> None:
    async with against("framing", trait) as server:
        assert (await server.call("echo", {"text": "hi"})).text == "hi"

    assert set(kinds(server)) == {Kind.RESPONSE_INVALID}


async def test_an_array_is_handled_and_told() -> None:
    async with against("framing", "batches") as server:
        assert (await server.call("echo", {"text": "hi"})).text == "hi"
        assert server.session.incoming.counts["notifications/message"] == 3

    assert set(kinds(server)) == {Kind.RESPONSE_INVALID}


async def test_an_array_is_right_in_the_revision_that_has_them() -> None:
    async with against("framing", "batches", protocol="2025-03-26") as server:
        before = kinds(server).get(Kind.RESPONSE_INVALID, 0)
        assert (await server.call("echo", {"text": "hi"})).text == "hi"
        assert kinds(server).get(Kind.RESPONSE_INVALID, 0) == before


async def test_members_that_a_list_names_twice_are_told_and_the_last_counts() -> None:
    async with against("framing", "duplicate_keys") as server:
        tools = await server.list_tools()

    assert tools[0].description == "b"
    assert "description" in only(server, Kind.DUPLICATE_KEYS).detail


async def test_forty_mib_in_one_line_are_delivered() -> None:
    async with against("framing", "forty_mib") as server:
        outcome = await server.call_outcome("echo", {"text": "hi"}, idle_s=60)

    assert outcome.result is not None
    assert len(outcome.result["content"][0]["text"]) == 40 << 20
    assert len(outcome.raw) > 40 << 20
    assert kinds(server) == {}


async def test_a_line_beyond_the_limit_ends_the_connection_and_says_so() -> None:
    async with against("framing", "endless_line") as server:
        outcome = await server.call_outcome("echo", {"text": "hi"}, idle_s=60)

    assert outcome.failure is Failure.LOST
    assert "64 MiB" in outcome.detail


async def test_a_line_without_an_end_is_named_when_its_call_times_out() -> None:
    async with against("framing", "no_line_end") as server:
        outcome = await server.call_outcome("echo", {"text": "hi"}, idle_s=0.3)

    assert outcome.failure is Failure.TIMEOUT
    assert "without a line end" in outcome.detail


async def test_an_answer_in_single_bytes_is_one_message() -> None:
    async with against("framing", "hundred_thousand_pieces") as server:
        assert (await server.call("echo", {"text": "hi"})).text == "slowly"

    assert kinds(server) == {}


async def test_a_flood_on_stderr_stops_nothing_and_its_end_is_kept() -> None:
    async with against("framing", "stderr_flood") as server:
        result = await server.call("echo", {"text": "hi"})
        alive = await server.is_alive()
        tail = server.stderr_tail(2)
        everything = server.stderr_tail(1000).splitlines()

    assert result.text == "hi"
    assert alive
    assert tail.splitlines()[0] == "line 19999 of very many"
    assert len(tail.splitlines()[1]) == 64 << 10
    assert len(everything) == 200
    assert kinds(server) == {}


class _Secrets:
    def found_in(self, data: bytes) -> bool:
        return b"s3cr3t-t0k3n" in data


async def test_a_secret_in_a_message_is_told_without_its_value() -> None:
    async with against("framing", "secret", secrets=_Secrets()) as server:
        await server.call("echo", {"text": "hi"})

    seen = only(server, Kind.SECRET_LEAK)
    assert seen.tool == "echo"
    assert "s3cr3t" not in seen.detail + str(seen.facts)
