"""Read a JSON report from a file, or say why it is none."""

import json
from pathlib import Path
from typing import Any

from toolproof.errors import ConfigError
from toolproof.finish.merge import Read
from toolproof.report.document import load_document

MOST_BYTES = 500 * 1000 * 1000
"""Of a report to read: ten times what we write."""


def read_report(path: Path) -> Read:
    """The report in this file.

    Raises:
        ConfigError: There is no such file, or it is no report of toolproof.
    """
    return Read(str(path), load_document(_document(read_bytes(path), str(path)), str(path)))


def read_bytes(path: Path, *, hint: str | None = None) -> bytes:
    """What is in a file.

    Raises:
        ConfigError: It cannot be read, or is too large.
    """
    where = str(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError("no such file", where=where, hint=hint) from None
    except IsADirectoryError:
        raise ConfigError("this is a folder", where=where, hint="Give the files in it.") from None
    except (OSError, ValueError) as exc:
        reason = getattr(exc, "strerror", None) or str(exc)
        raise ConfigError(f"it cannot be read: {reason.lower()}", where=where) from None
    if len(data) > MOST_BYTES:
        raise ConfigError(f"it has over {MOST_BYTES:,} bytes", where=where)
    return data


def _document(data: bytes, where: str) -> Any:
    hint = "Give a file that --json wrote."
    try:
        return json.loads(data)
    except RecursionError:
        raise ConfigError("it is nested too deeply for a report", where=where, hint=hint) from None
    except UnicodeDecodeError:
        raise ConfigError("it is not UTF-8", where=where, hint=hint) from None
    except json.JSONDecodeError as exc:
        raise ConfigError(
            f"it is no JSON: {exc.msg.lower()}",
            where=f"{where}:{exc.lineno}",
            hint=hint,
            file=where,
            line=exc.lineno,
        ) from None
    except ValueError:  # a number of more digits than Python reads
        raise ConfigError("it holds a number that is too long", where=where, hint=hint) from None
