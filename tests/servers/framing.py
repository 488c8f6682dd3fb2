"""Servers whose stdout is not what it should be: `python -m tests.servers.framing TRAIT`."""

import json
import os
import sys

from tests.servers.mini import (
    NOTHING,
    Message,
    echo,
    line,
    raw,
    reply,
    run,
    serve,
    text,
    write,
)


def banner() -> None:
    serve(first=lambda: raw(b"=== Acme server v1.2 ===\nlistening\n"))


def log_object() -> None:
    """A JSON log object before each answer of a tool."""

    def call(message: Message) -> Message:
        raw(b'{"level":"info","msg":"called"}\n')
        return echo(message)

    serve({"tools/call": call})


def number() -> None:
    serve(first=lambda: raw(b"42\n[1, 2]\n"))


def blank_lines() -> None:
    serve(first=lambda: raw(b"\n \n"))


def bom() -> None:
    serve(out=lambda m: raw(b"\xef\xbb\xbf" + line(m)))


def crlf() -> None:
    serve(out=lambda m: raw(line(m)[:-1] + b"\r\n"))


def latin1() -> None:
    """Answers of tools in ISO 8859-1."""

    def call(message: Message) -> object:
        answer = reply(message, result=text("sm\u00f8rbr\u00f8d"))
        raw(json.dumps(answer, ensure_ascii=False).encode("latin-1") + b"\n")
        return NOTHING

    serve({"tools/call": call})


def nan() -> None:
    serve({"tools/call": lambda _: text("x", structuredContent={"value": float("nan")})})


def huge_number() -> None:
    """An integer with more digits than Python reads."""

    def call(message: Message) -> object:
        raw(b'{"jsonrpc":"2.0","id":%d,"result":{"n":%b}}\n' % (message["id"], b"9" * 5000))
        return NOTHING

    serve({"tools/call": call})


def lone_surrogate() -> None:
    """Half a character, as a cut in the middle of an emoji gives it."""

    def call(message: Message) -> object:
        answer = reply(message, result=text("CUT"))
        raw(line(answer).replace(b"CUT", b"\\ud83d"))
        return NOTHING

    serve({"tools/call": call})


def deep() -> None:
    """Nested too deep for a parser."""

    def call(message: Message) -> object:
        nested = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
        raw(b'{"jsonrpc":"2.0","id":%d,"result":%b}\n' % (message["id"], nested))
        return NOTHING

    serve({"tools/call": call})


def pretty() -> None:
    serve(out=lambda m: raw(json.dumps(m, indent=2).encode() + b"\n"))


def half_banner() -> None:
    """Begins like a message, and is none."""
    serve(first=lambda: raw(b"{\n  starting\n"))


def no_version() -> None:
    serve(out=lambda m: write({k: v for k, v in m.items() if k != "jsonrpc"}))


def version_one() -> None:
    serve(out=lambda m: write(m | {"jsonrpc": "1.0"}))


def batches() -> None:
    """Each answer in an array, in the revision that allows it or another one."""
    serve(out=lambda m: write([m, {"jsonrpc": "2.0", "method": "notifications/message"}]))


def duplicate_keys() -> None:
    """A tool that has its description twice."""

    def listing(message: Message) -> object:
        tool = (
            b'{"name":"echo","description":"a","description":"b","inputSchema":{"type":"object"}}'
        )
        raw(b'{"jsonrpc":"2.0","id":%d,"result":{"tools":[%b]}}\n' % (message["id"], tool))
        return NOTHING

    serve({"tools/list": listing})


def forty_mib() -> None:
    serve({"tools/call": lambda _: text("x" * (40 << 20))})


def endless_line() -> None:
    def call(message: Message) -> object:
        del message
        for _ in range(80):
            raw(b"x" * (1 << 20))
        return NOTHING

    serve({"tools/call": call})


def no_line_end() -> None:
    def call(message: Message) -> object:
        raw(line(reply(message, result=text("here")))[:-1])
        return NOTHING

    serve({"tools/call": call})


def stderr_flood() -> None:
    def call(message: Message) -> Message:
        for number in range(20_000):
            sys.stderr.write(f"line {number} of very many\n")
        sys.stderr.write("y" * (1 << 20) + "\n")
        sys.stderr.flush()
        return echo(message)

    serve({"tools/call": call})


def hundred_thousand_pieces() -> None:
    """One answer, written byte by byte."""

    def call(message: Message) -> object:
        for byte in line(reply(message, result=text("slowly"))):
            os.write(1, bytes([byte]))
        return NOTHING

    serve({"tools/call": call})


def secret() -> None:
    serve({"tools/call": lambda _: text("your token is s3cr3t-t0k3n")})


TRAITS = {name: value for name, value in globals().items() if callable(value)}

if __name__ == "__main__":
    run(TRAITS)
