"""The text of the file, or why there is none."""

import errno
import os
import stat
import time
from pathlib import Path

from toolproof.errors import ConfigError

_MISSING = "Give the path of a toolproof.yaml with --config, or write one with `toolproof init`."
MOST_BYTES = 4 * 1024 * 1024
"""A larger file is no config that a person wrote."""
PIPE_S = 10.0
"""So long a pipe may take."""
_PAUSE_S = 0.02


def read_text(path: Path, *, missing: str = _MISSING) -> str:
    """The text of a file.

    Args:
        path: The file; or a pipe, of which the other end is open.
        missing: What to do where there is no such file.

    Raises:
        ConfigError: There is no such file, it cannot be read, or it is no UTF-8.
    """
    where = str(path)
    try:
        with open(path, "rb", opener=_at_once) as file:
            is_pipe = stat.S_ISFIFO(os.fstat(file.fileno()).st_mode)
            data = _piped(file.fileno()) if is_pipe else file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError(
            "no such file",
            where=where,
            hint=missing,
        ) from None
    except IsADirectoryError:
        raise ConfigError(
            "this is a folder", where=where, hint=f"Give the file in it: {path / 'toolproof.yaml'}"
        ) from None
    except (OSError, ValueError) as exc:
        reason = getattr(exc, "strerror", None) or str(exc)
        raise ConfigError(
            f"it cannot be read: {reason.lower()}",
            where=where,
            hint="Check the path, and who may read the file.",
        ) from None
    if len(data) > MOST_BYTES:
        raise ConfigError(
            f"it has over {MOST_BYTES:,} bytes, which is too much for a config",
            where=where,
            hint="Is it the right file? If so, split it into several.",
        )
    return _decoded(data, path)


def _at_once(path: str, flags: int) -> int:
    """Open without waiting until someone writes into a named pipe: nobody may ever do."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _piped(descriptor: int) -> bytes:
    """What comes through a pipe, such as a shell's `<(program)`, until its writer closes it."""
    until = time.monotonic() + PIPE_S
    data = b""
    while len(data) <= MOST_BYTES:
        try:
            read = os.read(descriptor, MOST_BYTES)
        except BlockingIOError:  # there is a writer, and it has not written yet
            read = None
        if read:
            data += read
        elif (read is not None and data) or time.monotonic() > until:
            if read is None:
                raise OSError(errno.ETIMEDOUT, f"the pipe was not closed within {PIPE_S:g} s")
            break
        else:
            time.sleep(_PAUSE_S)
    return data


def _decoded(data: bytes, path: Path) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ConfigError(
            "it is UTF-16, not UTF-8", where=str(path), hint="Save it as UTF-8.", file=str(path)
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data.count(b"\n", 0, exc.start) + 1
        raise ConfigError(
            f"it is not UTF-8: byte 0x{data[exc.start]:02x} at offset {exc.start}",
            where=f"{path}:{line}",
            hint="Save it as UTF-8.",
            file=str(path),
            line=line,
        ) from None
    return text
