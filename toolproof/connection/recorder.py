"""The last messages of each connection, and with `--debug` all of them as JSON lines in a file."""

import base64
import json
import os
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

RING = 50
"""Messages that are kept of each connection, for the text of a failure."""
KEPT_IN_RING = 32 << 10
"""Bytes that are kept of one message in the ring; a longer one keeps both ends."""
KEPT_IN_FILE = 1 << 20
"""Bytes that are kept of one message in the file; a longer one keeps both ends."""

Entry = tuple[float, str, bytes]
"""Clock in seconds, direction (`->`, `<-`), message."""


def _as_it_is(text: str) -> str:
    return text


def both_ends(line: bytes, limit: int) -> bytes:
    """The line, or its first and last bytes with the length of the whole between them."""
    if len(line) <= limit:
        return line
    half = limit // 2
    return b"%b ... %d bytes in all ... %b" % (line[:half], len(line), line[-half:])


class Tape:
    """What went over one connection. Made by `Recorder.tape`."""

    __slots__ = ("_ring", "_write", "number")

    def __init__(self, number: int, write: Callable[[float, Any], None] | None) -> None:
        self.number = number
        self._ring: deque[Entry] = deque(maxlen=RING)
        self._write = write

    def message(self, direction: str, line: bytes) -> None:
        """Keep one message; on the path of every call, so it does little."""
        now = time.monotonic()
        kept = line if len(line) <= KEPT_IN_RING else both_ends(line, KEPT_IN_RING)
        self._ring.append((now, direction, kept))
        if self._write is not None:
            self._write(now, {"conn": self.number, "dir": direction, **_raw(line)})

    def stderr(self, line: bytes) -> None:
        """Write one line of the server's stderr to the file."""
        if self._write is not None:
            self._write(time.monotonic(), {"conn": self.number, "dir": "stderr", **_raw(line)})

    def event(self, what: str, **facts: Any) -> None:
        """Write what happened: spawn, exit, timeout, restart, http."""
        if self._write is not None:
            entry = {"conn": self.number, "dir": "event", "event": what, **facts}
            self._write(time.monotonic(), entry)

    @property
    def writes(self) -> bool:
        """Is there a file: is it worth while to prepare an event?"""
        return self._write is not None

    @property
    def last(self) -> list[Entry]:
        """The last messages, oldest first."""
        return list(self._ring)


class Recorder:
    """Numbers connections and writes the file, if there is one.

    Args:
        path: Where the JSON lines go; None keeps only the rings.
        mask: Takes secrets out of a text, before anything of it is written.

    Raises:
        OSError: The file cannot be written.
    """

    def __init__(self, path: Path | None = None, mask: Callable[[str], str] = _as_it_is) -> None:
        self._began = time.monotonic()
        self._count = 0
        self._mask = mask
        # Unbuffered: a hang or a crash leaves the file complete up to its last line.
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        self._file = None if path is None else os.open(path, flags, 0o600)

    def tape(self) -> Tape:
        """A tape for a new process or connection."""
        self._count += 1
        return Tape(self._count, None if self._file is None else self._line)

    def close(self) -> None:
        """Close the file; what comes afterwards is not written."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def masked(self, line: bytes) -> str:
        """A kept message as text without secrets; bytes that are not UTF-8 become U+FFFD."""
        return self._mask(line.decode(errors="replace"))

    def _line(self, at: float, entry: dict[str, Any]) -> None:
        if self._file is None:
            return
        entry = {"t": round(at - self._began, 4), **self._clean(entry)}
        text = json.dumps(entry, ensure_ascii=False, default=str)
        os.write(self._file, text.encode(errors="backslashreplace") + b"\n")

    def _clean(self, value: Any) -> Any:
        """The value with every text in it masked, and cut after that: never half a secret."""
        if isinstance(value, str):
            return _short(self._mask(value))
        if isinstance(value, bytes):
            masked = both_ends(self._mask_bytes(value), KEPT_IN_FILE)
            return base64.b64encode(masked).decode()
        if isinstance(value, dict):
            return {key: self._clean(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._clean(item) for item in value]
        return value

    def _mask_bytes(self, value: bytes) -> bytes:
        return self._mask(value.decode("latin-1")).encode("latin-1", errors="replace")


def _raw(line: bytes) -> dict[str, Any]:
    line = line.rstrip(b"\r\n")
    try:
        return {"raw": line.decode()}
    except UnicodeDecodeError:
        return {"raw_b64": line}


def _short(text: str) -> str:
    if len(text) <= KEPT_IN_FILE:
        return text
    half = KEPT_IN_FILE // 2
    return f"{text[:half]} ... {len(text)} characters in all ... {text[-half:]}"
