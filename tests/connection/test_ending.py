"""The end of a server, however it comes: told with words, and nothing stays behind."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import anyio
import psutil
import pytest

from tests.connection.against import ROOT, against, kinds, only
from toolproof.config import ServerConfig
from toolproof.connection import McpServer, process
from toolproof.connection.observations import Kind
from toolproof.connection.wire import NO_ARGUMENTS, Failure
from toolproof.errors import ServerError
from toolproof.report.call import ConnectionLost


def _gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


async def _end_of(server: McpServer) -> None:
    while server.ended is None:  # noqa: ASYNC110 - the server tells nobody else
        await anyio.sleep(0.01)


def _child(server: McpServer) -> int:
    return int(server.stderr_tail(1).rpartition(" ")[2])


async def test_an_end_in_a_call_is_a_crash_of_that_tool_with_its_arguments() -> None:
    async with against("ending", "during_a_call") as server:
        result = await server.call("echo", {"text": "die"})
        after = await server.call("echo", {"text": "hi"})
        await server.reconnect()
        again = await server.call("echo", {"text": "hi"})

    assert isinstance(result.reply, ConnectionLost)
    assert "ended with exit code 7 before it answered tools/call" in result.reply.reason
    assert '"Traceback: boom"' in result.reply.reason
    assert isinstance(after.reply, ConnectionLost)
    assert again.text == "hi"
    crash = only(server, Kind.CRASH)
    assert crash.tool == "echo"
    assert crash.facts == {
        "exit": "exit code 7",
        "last_line": "Traceback: boom",
        "arguments": {"text": "die"},
        "in_flight": 1,
    }
    assert kinds(server) == {Kind.CRASH: 1}  # the call to a dead server blames nobody


async def test_a_signal_is_told_by_its_name() -> None:
    async with against("ending", "during_a_call") as server:
        await server.call("echo", {"text": "segv"})

    assert only(server, Kind.CRASH).facts["exit"] == "signal SIGSEGV (segmentation fault)"


async def test_a_call_without_arguments_has_none_in_its_crash() -> None:
    async with against("ending", "without_arguments") as server:
        fine = await server.call("echo")
        result = await server.call("echo", NO_ARGUMENTS)

    assert fine.text == "0"
    assert fine.arguments == {}
    assert isinstance(result.reply, ConnectionLost)
    assert result.arguments is None
    assert only(server, Kind.CRASH).facts["arguments"] is None
    assert "KeyError" in only(server, Kind.CRASH).facts["last_line"]


async def test_a_crash_in_one_of_several_calls_loses_them_all_and_is_told_once() -> None:
    async with against("ending", "during_a_call") as server:
        calls = [server.call("echo", {"text": text}) for text in ("die", "hi")]
        results = await asyncio.gather(*calls)

    assert all(isinstance(result.reply, ConnectionLost) for result in results)
    assert only(server, Kind.CRASH).facts["in_flight"] == 2


async def test_an_end_between_calls_is_told_with_the_request_that_it_costs() -> None:
    async with against("ending", "during_a_call") as server:
        first = await server.call("echo", {"text": "later"})
        await _end_of(server)
        second = await server.call("echo", {"text": "hi"})

    assert first.text == "later"
    assert isinstance(second.reply, ConnectionLost)
    seen = only(server, Kind.UNEXPECTED_EXIT)
    assert seen.facts == {"exit": "exit code 0", "last_line": "", "request": "tools/call"}
    assert seen.tool is None


async def test_an_end_that_costs_nothing_is_told_all_the_same() -> None:
    async with against("ending", "during_a_call") as server:
        await server.call("echo", {"text": "later"})
        await _end_of(server)

    assert only(server, Kind.UNEXPECTED_EXIT).facts["request"] is None


async def test_an_end_in_a_list_raises_for_the_list_and_is_unexpected() -> None:
    async with against("ending", "during_a_list") as server:
        with pytest.raises(ServerError, match="exit code 4 before it answered tools/list"):
            await server.list_tools()
        with pytest.raises(ServerError, match="exit code 4"):
            await server.server_info()

    assert only(server, Kind.UNEXPECTED_EXIT).facts["request"] == "tools/list"


async def test_an_end_right_after_the_handshake_is_unexpected() -> None:
    async with against("ending", "after_initialize") as server:
        with pytest.raises(ServerError, match="exit code 0 before it answered tools/list"):
            await server.server_info()

    assert only(server, Kind.UNEXPECTED_EXIT).facts["request"] == "tools/list"


async def test_closed_output_is_a_loss_though_the_process_lives() -> None:
    async with against("ending", "closes_stdout") as server:
        outcome = await server.call_outcome("echo", {}, idle_s=60)
        pid = server.pid

    assert outcome.failure is Failure.LOST
    assert "closed its output but is still running" in outcome.detail
    assert "still running" in only(server, Kind.CRASH).facts["exit"]
    assert pid is not None
    assert _gone(pid)


async def test_closed_input_is_a_loss_too() -> None:
    async with against("ending", "closes_stdin") as server:
        await server.list_tools()
        outcome = await server.call_outcome("echo", {}, idle_s=60)

    assert outcome.failure is Failure.LOST
    assert "closed its input" in outcome.detail


async def test_a_good_server_is_stopped_by_the_end_of_its_input() -> None:
    async with against("opening", "legacy") as server:
        pid = server.pid

    assert kinds(server) == {}
    assert pid is not None
    assert _gone(pid)
    assert not process.live()


@pytest.mark.parametrize(
    ("trait", "name"), [("ignores_eof", "SIGTERM"), ("ignores_all", "SIGKILL")]
)
async def test_a_server_that_stays_is_ended_and_told(trait: str, name: str) -> None:
    async with against("ending", trait) as server:
        pid = server.pid

    seen = only(server, Kind.NO_EXIT_ON_EOF)
    assert seen.facts == {"seconds": 2.0, "signal": name}
    assert pid is not None
    assert _gone(pid)
    assert kinds(server) == {Kind.NO_EXIT_ON_EOF: 1}


async def test_a_status_at_the_end_of_input_is_told_if_it_is_not_zero() -> None:
    async with against("ending", "ends_with_one") as server:
        pass

    assert only(server, Kind.EXIT_STATUS).facts == {"exit": "exit code 1"}


@pytest.mark.parametrize("trait", ["child_in_group", "child_out_of_group"])
async def test_a_child_that_stays_is_ended_and_told_by_its_command(trait: str) -> None:
    async with against("ending", trait) as server:
        await server.list_tools()
        child = _child(server)

    seen = only(server, Kind.PROCESS_LEAK)
    assert seen.facts["pid"] == child
    assert "time.sleep(600)" in seen.facts["command"]
    assert _gone(child)


async def test_a_child_that_follows_its_parent_is_no_finding() -> None:
    async with against("ending", "child_that_follows") as server:
        await server.list_tools()
        child = _child(server)

    assert kinds(server) == {}
    assert _gone(child)


async def test_a_crash_is_noticed_though_a_child_holds_the_output() -> None:
    async with against("ending", "crash_leaves_child") as server:
        await server.list_tools()
        child = _child(server)
        outcome = await server.call_outcome("echo", {}, idle_s=60)

    assert outcome.failure is Failure.LOST
    assert "exit code 9" in outcome.detail
    assert _gone(child)
    assert kinds(server) == {Kind.CRASH: 1, Kind.PROCESS_LEAK: 1}


async def test_thirty_restarts_leave_no_descriptor_and_no_process() -> None:
    own = psutil.Process()
    before = 0
    async with against("opening", "modern") as server:
        for number in range(30):
            await server.reconnect()
            if number == 2:
                before = own.num_fds()
        result = await server.call("echo", {"text": "hi"})
        after = own.num_fds()
        children = own.children()

    assert result.text == "hi"
    assert after == before
    assert len(children) == 1
    assert kinds(server) == {}


async def test_restarts_at_once_from_many_tasks_are_one() -> None:
    async with against("opening", "dual") as server:
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(server.reconnect)

        assert server.restarts == 1
        assert (await server.call("echo", {"text": "hi"})).text == "hi"


async def test_a_restart_loses_the_calls_in_flight() -> None:
    async with against("timing", "ignores_calls") as server:
        task = asyncio.create_task(server.call("echo", {}))
        await asyncio.sleep(0.05)
        await server.reconnect()
        result = await task

    assert isinstance(result.reply, ConnectionLost)
    assert "the connection was closed before it answered tools/call" in result.reply.reason


async def test_any_task_may_stop_the_server() -> None:
    server = against("opening", "legacy")
    await server.spawn()
    await server.open()
    pid = server.pid

    async with anyio.create_task_group() as group:
        group.start_soon(server.close)
        group.start_soon(server.close)

    assert pid is not None
    assert _gone(pid)


async def test_a_stop_runs_in_full_though_its_caller_is_cancelled() -> None:
    server = against("ending", "ignores_eof")
    await server.spawn()
    await server.open()
    pid = server.pid

    task = asyncio.create_task(server.close())
    await asyncio.sleep(0.05)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0.01)
    with pytest.raises(asyncio.CancelledError):
        await task

    assert pid is not None
    assert _gone(pid)
    assert only(server, Kind.NO_EXIT_ON_EOF).facts["signal"] == "SIGTERM"


async def test_a_start_that_is_cancelled_leaves_nothing() -> None:
    server = against("timing", "silent")
    with anyio.move_on_after(0.3):
        async with server:
            pass

    assert server.pid is not None
    assert _gone(server.pid)
    assert not process.live()


async def test_all_servers_are_stopped_side_by_side_and_fast() -> None:
    servers = [against("ending", "ignores_eof") for _ in range(3)]
    for server in servers:
        await server.spawn()
        await server.open()
    pids = [server.pid for server in servers]

    await process.stop_all(fast=True)

    assert all(pid is not None and _gone(pid) for pid in pids)
    assert all(kinds(server) == {} for server in servers)  # half a second is no fair wait
    assert not process.live()
    for server in servers:
        await server.close()


async def test_a_hurry_shortens_a_stop_that_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_hurried", False)  # put back at the end
    async with against("ending", "ignores_all") as server:
        closing = asyncio.create_task(server.close())
        await asyncio.sleep(0.05)
        process.hurry()
        await closing
        pid = server.pid

    assert pid is not None
    assert _gone(pid)
    async with against("ending", "ignores_eof") as later:
        pass
    assert kinds(later) == {}


_SUBREAPER = """
import asyncio, ctypes, os
from tests.connection.against import against

ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: orphans become ours, as for pid 1

async def main():
    async with against("ending", "child_in_group") as server:
        await server.list_tools()
        print(server.stderr_tail(1).split()[1], flush=True)

asyncio.run(main())
try:
    print(os.waitpid(-1, os.WNOHANG))
except ChildProcessError:
    print("nothing to reap")
"""


async def test_what_is_handed_to_us_as_process_one_is_reaped() -> None:
    ours = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _SUBREAPER, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await ours.communicate()

    assert said.decode().splitlines()[1:] == ["nothing to reap"]


async def test_everything_can_be_killed_at_once() -> None:
    async with against("ending", "child_out_of_group") as server:
        await server.list_tools()
        child = _child(server)
        process.kill_all()
        outcome = await server.call_outcome("echo", {}, idle_s=60)

    assert outcome.failure is Failure.LOST
    assert _gone(child)


_DRIVER = """
import asyncio, signal, sys
from tests.connection.against import against
from toolproof.connection import process

async def main():
    servers = [against("ending", trait) for trait in ("ignores_all", "child_out_of_group")]
    for server in servers:
        await server.spawn()
        await server.open()
    await servers[1].list_tools()
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    def ask():
        process.kill_all() if asked.is_set() else asked.set()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, ask)
    print(servers[0].pid, servers[1].pid, servers[1].stderr_tail(1).split()[1], flush=True)
    if sys.argv[1] == "raise":
        raise RuntimeError("a crash of ours")
    await asked.wait()
    await process.stop_all(fast=True)
    for server in servers:
        await server.close()

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("how", "signals"),
    [
        ("signal", [signal.SIGINT]),
        ("signal", [signal.SIGTERM]),
        ("signal", [signal.SIGHUP]),
        ("signal", [signal.SIGTERM, signal.SIGTERM]),
        ("raise", []),
        ("exec", [signal.SIGKILL]),
    ],
)
async def test_nothing_is_left_when_we_are_told_to_end(
    how: str, signals: list[signal.Signals]
) -> None:
    ours = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        _DRIVER,
        how,
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert ours.stdout is not None
    pids = [int(word) for word in (await ours.stdout.readline()).split()]
    assert len(pids) == 3
    for number in signals:
        ours.send_signal(number)
        await asyncio.sleep(0.1)
    with anyio.fail_after(10):
        await ours.wait()

    if how != "exec":  # after SIGKILL no one can clean up: they see the end of their input
        assert all(_gone(pid) for pid in pids)
    for pid in pids:
        if not _gone(pid):
            os.kill(pid, signal.SIGKILL)


async def test_our_own_ctrl_c_does_not_reach_the_server() -> None:
    async with against("opening", "legacy") as server:
        assert server.pid is not None
        assert os.getpgid(server.pid) == server.pid
        assert os.getsid(server.pid) == server.pid


# What cannot be started


def _failing(command: tuple[str, ...], **more: object) -> McpServer:
    return McpServer(ServerConfig.model_validate({"command": command, **more}))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("no-such-program-here",), '"no-such-program-here" was not found in the PATH'),
        (("./no/such/file",), '"./no/such/file" does not exist'),
        (("./tests",), '"./tests" is a directory'),
        (("./README.md",), '"./README.md" is not executable'),
    ],
)
async def test_what_cannot_be_started_is_named(command: tuple[str, ...], words: str) -> None:
    server = _failing(command, cwd=str(ROOT))
    with pytest.raises(ServerError) as caught:
        await server.__aenter__()

    assert words in caught.value.message
    assert caught.value.hint
    assert only(server, Kind.START_FAILED).detail == caught.value.message


async def test_a_missing_folder_is_named() -> None:
    server = _failing((sys.executable,), cwd="no-such-folder")
    with pytest.raises(ServerError, match=r'cwd ".*no-such-folder" does not exist'):
        await server.__aenter__()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"#!/no/such/interpreter\n", "the interpreter in its first line is missing"),
        (b"#!/usr/bin/env python3\r\n", ""),
        (b"\x00\x01\x02", "is no program for this system"),
    ],
)
async def test_a_file_that_the_system_refuses_is_named(
    tmp_path: Path, content: bytes, words: str
) -> None:
    script = tmp_path / "server"
    script.write_bytes(content)
    script.chmod(0o755)
    server = _failing((str(script),))
    with pytest.raises(ServerError) as caught:
        await server.__aenter__()

    assert words in caught.value.message


async def test_the_path_of_the_server_is_searched_not_ours(tmp_path: Path) -> None:
    program = tmp_path / "acme-server"
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.exit(3)\n", encoding="utf-8")
    program.chmod(0o755)
    found = _failing(("acme-server",), env={"PATH": str(tmp_path)})
    with pytest.raises(ServerError, match="exit code 3"):
        await found.__aenter__()

    missing = _failing(("python3",), env={"PATH": str(tmp_path)})
    with pytest.raises(ServerError) as caught:
        await missing.__aenter__()

    assert caught.value.hint is not None
    assert "server.env sets another PATH" in caught.value.hint


async def test_a_program_is_found_from_the_folder_of_the_config(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "server"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport os\nprint(os.getcwd())\n", encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "elsewhere").mkdir()
    config_ = ServerConfig(command=("bin/server",), cwd=Path("elsewhere"))
    server = McpServer(config_, tmp_path)
    with pytest.raises(ServerError, match="exit code 0"):
        await server.__aenter__()

    where = {seen.facts["line"] for seen in server.log.each(Kind.STDOUT_POLLUTION)}
    assert where == {str(tmp_path / "elsewhere")}


async def test_an_end_before_any_answer_is_a_start_crash_with_a_hint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ACME_API_KEY", "x")
    server = against("ending", "before_anything")
    with pytest.raises(ServerError) as caught:
        await server.__aenter__()

    assert "it ended with exit code 3 before it answered initialize" in caught.value.message
    assert "ACME_API_KEY is not set" in caught.value.message
    assert caught.value.hint is not None
    assert "ACME_API_KEY" in caught.value.hint
    seen = only(server, Kind.START_CRASH)
    assert seen.facts["exit"] == "exit code 3"
    assert seen.facts["last_line"] == "ACME_API_KEY is not set"
    assert kinds(server) == {Kind.START_CRASH: 1}


async def test_a_server_gets_few_variables_and_its_mark() -> None:
    os.environ["TOOLPROOF_TEST_VARIABLE"] = "1"
    try:
        async with against("opening", "legacy", env={"OWN": "yes"}) as server:
            assert server.pid is not None
            environment = psutil.Process(server.pid).environ()
    finally:
        del os.environ["TOOLPROOF_TEST_VARIABLE"]

    assert environment["OWN"] == "yes"
    assert environment["TOOLPROOF_OWNER"].startswith(f"{os.getpid()}-")
    allowed = {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "OWN", "TOOLPROOF_OWNER"}
    assert set(environment) - {"LC_CTYPE"} <= allowed


async def test_lines_of_stderr_can_be_told_apart_by_call() -> None:
    async with against("ending", "during_a_call") as server:
        before = server.stderr_count
        await server.call("echo", {"text": "die"})

        assert server.stderr_tail(since=before) == "Traceback: boom"
        assert server.stderr_tail(since=server.stderr_count) == ""


async def test_a_restart_that_fails_says_so_and_may_be_tried_again(tmp_path: Path) -> None:
    started = tmp_path / "started"
    async with against(
        "opening", "fails_after_first_start", env={"STARTED": str(started)}
    ) as server:
        with pytest.raises(ServerError, match="exit code 3"):
            await server.reconnect()
        assert isinstance((await server.call("echo", {})).reply, ConnectionLost)
        started.unlink()
        await server.reconnect()

        assert (await server.call("echo", {"text": "hi"})).text == "hi"
