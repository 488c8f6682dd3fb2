"""Limits: what is slow, silent or stuck gets its outcome in time, and blames no one else."""

import asyncio
from pathlib import Path

import anyio
import pytest

from tests.connection.against import against, kinds, only
from toolproof.connection.observations import Kind
from toolproof.connection.wire import Failure
from toolproof.report.call import ConnectionLost, TimedOut


async def test_a_silent_call_times_out_and_the_connection_stays_usable() -> None:
    async with against("timing", "ignores_calls") as server:
        result = await server.call("echo", {}, timeout_s=0.2)
        again = await server.call("echo", {}, timeout_s=0.2)

    assert result.timed_out
    assert again.timed_out
    assert isinstance(result.reply, TimedOut)
    assert result.reply.detail == "no answer to tools/call within 0.2 s"
    assert server.restarts == 0  # it answered the ping in between
    assert kinds(server) == {}


async def test_a_call_that_blocks_the_server_costs_a_restart_and_no_other_call() -> None:
    async with against("timing", "hangs") as server:
        stuck = await server.call("echo", {"text": "hang"}, timeout_s=0.2)
        after = await server.call("echo", {"text": "fine"})

    assert stuck.timed_out
    assert after.text == "fine"
    assert server.restarts == 1
    assert kinds(server) == {}  # being busy at the end of input is no second fault


async def test_a_blocked_server_that_does_not_come_back_is_told(tmp_path: Path) -> None:
    env = {"STARTED": str(tmp_path / "started")}
    async with against("timing", "hangs_and_starts_once", env=env) as server:
        await server.call("echo", {"text": "hang"}, timeout_s=0.2)
        after = await server.call("echo", {"text": "fine"})

    assert isinstance(after.reply, ConnectionLost)
    assert "it did not come back" in only(server, Kind.START_FAILED).detail
    assert kinds(server)[Kind.START_CRASH] == 1


async def test_calls_that_wait_for_a_restart_are_served_by_the_new_process() -> None:
    async with against("timing", "hangs") as server:
        await server.call("echo", {"text": "hang"}, timeout_s=0.2)
        calls = [server.call("echo", {"text": str(number)}) for number in range(5)]
        results = await asyncio.gather(*calls)

    assert [result.text for result in results] == ["0", "1", "2", "3", "4"]
    assert server.restarts == 1


async def test_a_server_that_does_not_read_is_named_as_that() -> None:
    async with against("timing", "reads_nothing_more") as server:
        await server.list_tools()
        result = await server.call("echo", {"text": "x" * 3_000_000}, timeout_s=0.3)

    assert result.timed_out
    assert "did not read its input (2.9 MB unsent)" in (result.transport_error or "")


async def test_progress_keeps_a_call_alive_beyond_its_idle_limit() -> None:
    async with against("timing", "progress") as server:
        outcome = await server.call_outcome("echo", {}, idle_s=0.4)

    assert outcome.result is not None
    assert outcome.progress == 5
    assert kinds(server) == {}


async def test_progress_extends_no_call_beyond_its_total_limit() -> None:
    async with against("timing", "endless_progress") as server:
        result = await server.call("echo", {}, timeout_s=0.3, total_timeout_s=0.6)

    assert result.timed_out
    assert "within 0.6 s in all, in spite of" in (result.transport_error or "")


async def test_progress_that_is_wrong_is_told_each_time() -> None:
    async with against("timing", "bad_progress") as server:
        outcome = await server.call_outcome("echo", {})
        await server.is_alive()

    assert outcome.result is not None
    assert outcome.progress == 1
    details = [seen.detail for seen in server.log.each(Kind.PROGRESS_INVALID)]
    assert "progress that does not increase: 1 after 1" in details
    assert details.count("progress without a number") == 3
    assert details.count("progress with a token that was not given") == 2
    assert any("after its answer" in detail for detail in details)


@pytest.mark.parametrize("mode", ["legacy", "modern"])
async def test_what_is_given_up_is_cancelled(mode: str) -> None:
    async with against("timing", "cancelled", env={"MODE": mode}) as server:
        await server.call("echo", {}, timeout_s=0.1)
        given_up = server.session.last_id
        await server.is_alive()
        with anyio.move_on_after(0.1):
            await server.call("echo", {})
        await server.is_alive()
        tail = server.stderr_tail()

    assert f"cancelled {given_up}" in tail
    assert len(tail.splitlines()) == 2


async def test_a_cancelled_caller_leaves_nothing_waiting() -> None:
    async with against("timing", "ignores_calls") as server:
        task = asyncio.create_task(server.call("echo", {}))
        await asyncio.sleep(0.05)
        assert len(server.session.waiting.by_id) == 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

        assert not server.session.waiting.by_id
        assert await server.is_alive()


async def test_many_calls_time_out_by_the_one_timer() -> None:
    async with against("timing", "ignores_calls") as server:
        limits = [0.1, 0.3, 0.2, 0.1]
        calls = [server.call_outcome("echo", {}, idle_s=limit) for limit in limits]
        outcomes = await asyncio.gather(*calls)

    assert {outcome.failure for outcome in outcomes} == {Failure.TIMEOUT}
    waited = [outcome.detail.rpartition(" within ")[2] for outcome in outcomes]
    assert waited == ["0.1 s", "0.3 s", "0.2 s", "0.1 s"]


async def test_a_request_without_a_task_is_answered_through_its_future() -> None:
    async with against("answering", "mixed_up") as server:
        params = {"name": "echo", "arguments": {"text": "hi"}}
        futures = [server.session.request_nowait("tools/call", params) for _ in range(2)]
        outcomes = [await future for future in futures]

    assert all(outcome.result is not None for outcome in outcomes)


async def test_a_future_that_its_owner_cancels_is_left_alone() -> None:
    async with against("answering", "late") as server:
        params = {"name": "echo", "arguments": {"text": "late"}}
        future = server.session.request_nowait("tools/call", params)
        future.cancel()

        assert (await server.call("echo", {"text": "after"})).text == "after"


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
async def test_what_is_no_json_is_never_sent(number: float) -> None:
    async with against("answering", "late") as server:
        with pytest.raises(ValueError, match=r"JSON|compliant"):
            await server.call("echo", {"text": number})

        assert (await server.call("echo", {"text": "after"})).text == "after"


async def test_arguments_nested_beyond_what_can_be_written_are_never_sent() -> None:
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    async with against("answering", "late") as server:
        with pytest.raises(ValueError, match="nested too deep"):
            await server.call("echo", {"text": nested})


async def test_a_start_without_an_answer_ends_at_its_limit() -> None:
    server = against("timing", "silent", config_={"startup_timeout_s": 0.6})
    with pytest.raises(Exception, match="no answer to initialize within"):
        await server.__aenter__()

    seen = only(server, Kind.START_TIMEOUT)
    assert seen.facts["seconds"] == 0.6
