"""The bytes of a server's stdout become messages; whatever else is there is seen and told.

The table of `wire.md`, section 3. Time is linear in the bytes, however they were cut into chunks.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from toolproof.connection.messages import (
    NotJsonError,
    decode,
    decode_oddly,
    id_within,
    is_message,
    lone_surrogate,
)
from toolproof.connection.observations import Kind
from toolproof.connection.recorder import Tape
from toolproof.connection.wire import Failure, Receiver
from toolproof.connection.witness import Witness
from toolproof.text import count

MAX_LINE = 64 << 20
"""Bytes that one message may have."""
_SHOWN = 120
_BOM = b"\xef\xbb\xbf"
_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{}]')


class Framer:
    """Takes stdout apart.

    Args:
        receiver: Gets the messages.
        on_overflow: Called once when a line is longer than `MAX_LINE`, with how long it is.
    """

    def __init__(
        self,
        receiver: Receiver,
        witness: Witness,
        tape: Tape,
        on_overflow: Callable[[int], None],
    ) -> None:
        self._receiver = receiver
        self._see = witness.see
        self._tape = tape
        self._on_overflow = on_overflow
        self._chunks: list[bytes] = []  # of the line that has no end yet
        self._size = 0
        self._held: list[bytes] = []  # lines that may be one message, pretty-printed
        self._held_size = 0
        self._depth = 0
        self._over = False

    @property
    def unfinished(self) -> bytes:
        """The beginning of a line that has no end yet: what a client waits for in vain."""
        return self._chunks[0][:_SHOWN] if self._chunks else b""

    @property
    def unfinished_size(self) -> int:
        return self._size

    def feed(self, data: bytes) -> None:
        """Take bytes as they came, and deliver all messages that they complete."""
        if self._over:
            return
        end = data.rfind(b"\n")  # only new bytes are searched
        if end < 0:
            self._chunks.append(data)
            self._size += len(data)
            if self._size > MAX_LINE:
                size, self._chunks, self._size = self._size, [], 0
                self._over = True
                self._on_overflow(size)
            return
        block = data[:end]
        if self._chunks:
            self._chunks.append(block)
            block = b"".join(self._chunks)
        rest = data[end + 1 :]
        self._chunks, self._size = ([rest], len(rest)) if rest else ([], 0)
        for line in block.split(b"\n"):
            self._line(line)

    def finish(self) -> None:
        """Nothing more will come: what is held or unfinished was no message."""
        rest, self._chunks, self._size = b"".join(self._chunks), [], 0
        if rest.strip():
            self._line(rest)
        self._release()
        self._over = True

    def _line(self, line: bytes) -> None:
        self._tape.message("<-", line)
        try:
            value = decode(line.decode())
        except (ValueError, RecursionError):  # a UnicodeDecodeError is a ValueError
            self._odd_line(line)
            return
        if type(value) is dict and "jsonrpc" in value and not self._held:
            self._deliver(value, line)
        else:
            self._odd_value(value, line)

    def _deliver(self, value: Any, raw: bytes) -> None:
        if b"\\u" in raw and (pointer := lone_surrogate(value, raw)) is not None:
            self._see(Kind.LONE_SURROGATE, f"an unpaired surrogate at {pointer}", pointer=pointer)
        self._receiver.on_message(value, raw)

    def _odd_value(self, value: Any, line: bytes) -> None:
        """JSON that is no message by itself, or comes while lines are held."""
        if is_message(value):
            self._release()  # so they were no part of one message
            self._deliver(value, line)
        elif self._held:
            self._hold(line)
        else:
            self._pollution(line)

    def _odd_line(self, line: bytes) -> None:
        """A line that is not UTF-8, or not JSON, or not quite."""
        if line.startswith(_BOM):
            self._see(Kind.STDOUT_BOM, "a byte order mark (U+FEFF) before a message")
            line = line[len(_BOM) :]
        bad: UnicodeDecodeError | None = None
        try:
            text = line.decode()
        except UnicodeDecodeError as exc:
            text, bad = line.decode(errors="replace"), exc
        if text.strip():
            self._read_oddly(text, line, bad)
        elif not self._held:
            self._see(Kind.STDOUT_POLLUTION, "a blank line", line="")

    def _read_oddly(self, text: str, line: bytes, bad: UnicodeDecodeError | None) -> None:
        try:
            value = decode(text)
        except NotJsonError as exc:
            self._malformed(text, line, str(exc))
        except RecursionError:
            self._malformed(text, line, "JSON that is nested too deep to be read")
        except json.JSONDecodeError as exc:
            if self._held or _may_go_on(text, exc):
                self._hold(line)
            else:
                self._pollution(line)
        except ValueError as exc:
            self._malformed(text, line, f"a number that cannot be read ({exc})")
        else:
            if bad is not None and is_message(value):
                self._not_utf8(bad, line)
            self._odd_value(value, line)

    def _not_utf8(self, bad: UnicodeDecodeError, line: bytes) -> None:
        byte = line[bad.start]
        self._see(
            Kind.INVALID_UTF8,
            f"byte 0x{byte:02x} at offset {bad.start} is not UTF-8",
            byte=byte,
            offset=bad.start,
        )

    def _malformed(self, text: str, raw: bytes, what: str) -> None:
        """A message that only lenient parsers read: its request fails at once."""
        self._release()
        value = decode_oddly(text)
        ident = value.get("id") if isinstance(value, dict) else id_within(raw)
        if value is not None and not is_message(value):
            self._pollution(raw)
            return
        self._see(Kind.RESPONSE_INVALID, f"a message with {what}")
        if type(ident) is int:
            detail = f"the answer holds {what}: {text[:_SHOWN]}"
            self._receiver.on_failure(ident, Failure.MALFORMED, detail, raw=raw)

    def _pollution(self, line: bytes) -> None:
        shown = line.decode(errors="replace").strip()[:_SHOWN]
        self._see(Kind.STDOUT_POLLUTION, f"not a JSON-RPC message: {shown!r}", line=shown)

    # Pretty-printed messages

    def _hold(self, line: bytes) -> None:
        self._held.append(line)
        self._held_size += len(line)
        for token in _BRACKETS.findall(line):
            self._depth += (token in b"{[") - (token in b"}]")
        if self._depth <= 0:
            self._close_held()
        elif self._held_size > MAX_LINE:
            self._release()

    def _close_held(self) -> None:
        """All brackets are closed: one message, or no message at all."""
        raw = b"\n".join(self._held)
        text = raw.decode(errors="replace")
        if not is_message(decode_oddly(text)):
            self._release()
            return
        self._see(
            Kind.STDOUT_POLLUTION,
            f"one message, pretty-printed over {count(len(self._held), 'line')}",
            line=self._held[0].decode(errors="replace").strip()[:_SHOWN],
        )
        self._forget()
        self._read_oddly(text, raw, None)

    def _release(self) -> None:
        """What is held was no message: each line of it is told."""
        held = self._held
        self._forget()
        for line in held:
            self._pollution(line)

    def _forget(self) -> None:
        self._held, self._held_size, self._depth = [], 0, 0


def _may_go_on(text: str, exc: json.JSONDecodeError) -> bool:
    """Is it the beginning of an object or array that ends on a later line?"""
    stripped = text.rstrip()
    return stripped.lstrip()[:1] in ("{", "[") and exc.pos >= len(stripped)
