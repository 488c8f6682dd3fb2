"""What went over the wire: a ring for failures, and a file that is complete at any moment."""

import base64
import json
from pathlib import Path
from typing import Any

from tests.connection.against import against
from toolproof.connection.recorder import KEPT_IN_RING, RING, Recorder


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_ring_keeps_the_last_messages_within_bounds() -> None:
    tape = Recorder().tape()
    for number in range(RING + 10):
        tape.message("->", b"%d" % number)
    tape.message("<-", b"x" * 10_000_000)

    kept = tape.last
    assert len(kept) == RING
    assert kept[0][2] == b"11"
    assert len(kept[-1][2]) < KEPT_IN_RING + 100
    assert b"10000000 bytes in all" in kept[-1][2]


async def test_the_file_has_everything_in_order_and_is_written_as_it_happens(
    tmp_path: Path,
) -> None:
    path = tmp_path / "debug.jsonl"
    recorder = Recorder(path)
    async with against("framing", "banner", recorder=recorder) as server:
        await server.call("echo", {"text": "\u00e6"})
        during = _lines(path)
        await server.reconnect()
    recorder.close()
    recorder.tape().message("->", b"afterwards")

    entries = _lines(path)
    assert during == entries[: len(during)]
    assert all(set(entry) >= {"t", "conn", "dir"} for entry in entries)
    assert [entry["t"] for entry in entries] == sorted(entry["t"] for entry in entries)
    assert {entry["conn"] for entry in entries} == {1, 2}
    assert entries[0]["event"] == "spawn"
    assert entries[0]["argv"][-1] == "banner"
    assert "=== Acme server v1.2 ===" in [entry.get("raw") for entry in entries]
    assert any(
        '"text":"\u00e6"' in entry.get("raw", "") for entry in entries if entry["dir"] == "->"
    )
    assert [entry["event"] for entry in entries if entry["dir"] == "event"] == [
        "spawn",
        "exit",
        "restart",
        "spawn",
        "exit",
    ]


async def test_a_timeout_is_written_down(tmp_path: Path) -> None:
    path = tmp_path / "debug.jsonl"
    recorder = Recorder(path)
    async with against("timing", "ignores_calls", recorder=recorder) as server:
        await server.call("echo", {}, timeout_s=0.1)
        shown = server.last_messages(3)
    recorder.close()

    timeout = next(entry for entry in _lines(path) if entry.get("event") == "timeout")
    assert timeout["method"] == "tools/call"
    assert timeout["after_s"] >= 0.1
    assert [line[:2] for line in shown] == ["->", "->", "->"]
    assert "notifications/cancelled" in shown[-1]


def test_secrets_are_masked_before_anything_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "debug.jsonl"
    recorder = Recorder(path, lambda text: text.replace("s3cret", "***"))
    tape = recorder.tape()
    tape.message("->", b'{"token":"s3cret"}\n')
    tape.stderr(b"s3cret \xff")
    tape.event("spawn", argv=["a", "s3cret"], env={"A": "s3cret"}, pid=5)
    tape.message("<-", b"x" * ((1 << 19) - 3) + b"s3cret" + b"y" * (1 << 20))
    recorder.close()

    text = path.read_text(encoding="utf-8")
    assert "s3cret" not in text
    entries = _lines(path)
    assert entries[0]["raw"] == '{"token":"***"}'
    assert base64.b64decode(entries[1]["raw_b64"]) == b"*** \xff"
    assert entries[2]["argv"] == ["a", "***"]
    assert entries[2]["pid"] == 5
    assert "s3c" not in entries[3]["raw"]
    assert "characters in all" in entries[3]["raw"]
    assert recorder.masked(tape.last[0][2]) == '{"token":"***"}\n'


def test_lone_surrogates_do_not_break_the_file(tmp_path: Path) -> None:
    path = tmp_path / "debug.jsonl"
    recorder = Recorder(path)
    recorder.tape().event("http", url="\ud83d")
    recorder.close()

    assert _lines(path)[0]["url"] == "\ud83d"


def test_many_bytes_that_are_not_utf8_keep_both_ends(tmp_path: Path) -> None:
    path = tmp_path / "debug.jsonl"
    recorder = Recorder(path)
    recorder.tape().message("<-", b"\xff" * (3 << 20))
    recorder.close()

    kept = base64.b64decode(_lines(path)[0]["raw_b64"])
    assert b"3145728 bytes in all" in kept
    assert len(kept) < 1.1 * (1 << 20)
