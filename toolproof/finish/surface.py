"""What a server advertises, in one order and one form: the content of toolproof.lock."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from toolproof.config.tree import Node, read_tree
from toolproof.config.yaml_faults import NotYaml
from toolproof.errors import ConfigError
from toolproof.finish.reading import read_bytes
from toolproof.report import Listed, ServerInfo
from toolproof.report.values import json_of, plain

NAME = "toolproof.lock"
VERSION = 1
HINT = "Write it with `toolproof snapshot`."
_DEEPEST = 100

Surface = Mapping[str, Any]
"""capabilities, instructions, prompts, resources, resource_templates, tools."""

Lock = Mapping[str, Surface]
"""The surface of each server, by its name; the name of a single one is empty."""


def surface_of(info: ServerInfo) -> dict[str, Any]:
    """All that clients and models see of a server, less its version."""
    return {
        "capabilities": _tidy(dict(info.capabilities)),
        "instructions": None if info.instructions is None else _text(info.instructions),
        "prompts": _named(info.prompts, "name"),
        "resource_templates": _named(info.resource_templates, "uriTemplate"),
        "resources": _named(info.resources, "uri"),
        "tools": _named(info.tools, "name"),
    }


def lock_text(lock: Lock) -> str:
    """The file: sorted, so that a change of it is a change of the server."""
    single = lock.get("") if len(lock) == 1 else None
    whole = {"servers": lock} if single is None else single
    document = {"version": VERSION, **whole}
    return json.dumps(document, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


class LockFile:
    """A lock as it was read, with the lines of what stands in it."""

    def __init__(self, path: Path, text: str, lock: Lock) -> None:
        self.path = path
        self.lock = lock
        self._text = text
        self._tree: Node | None = None

    def line_of(self, steps: Iterable[str | int]) -> int:
        """The line of a value, or of what is nearest to it on the way there; from 1."""
        if self._tree is None:
            try:
                self._tree, _ = read_tree(self._text)
            except NotYaml:  # larger than any config may be
                return 1
        return self._tree.nearest(tuple(steps))[0] if self._tree else 1


def read_lock(path: Path) -> LockFile:
    """The lock in a file.

    Raises:
        ConfigError: There is none, or it is none.
    """
    where = str(path)
    data = read_bytes(path, hint=HINT)
    try:
        text = data.decode("utf-8-sig")
        document = json.loads(text)
    except json.JSONDecodeError as exc:
        raise ConfigError(
            f"it is no JSON: {exc.msg.lower()}",
            where=f"{where}:{exc.lineno}",
            hint="Write it anew with `toolproof snapshot`.",
            file=where,
            line=exc.lineno,
        ) from None
    except (ValueError, RecursionError):
        raise ConfigError("it is no lock of toolproof", where=where, hint=HINT) from None
    if not isinstance(document, dict) or document.get("version") != VERSION:
        got = document.get("version") if isinstance(document, dict) else None
        raise ConfigError(
            f"expected a lock of version {VERSION}, got {json_of(got)[:40]}", where=where, hint=HINT
        )
    servers = document.get("servers")
    if isinstance(servers, dict):
        return LockFile(path, text, {name: _surface(one) for name, one in servers.items()})
    return LockFile(path, text, {"": _surface(document)})


def _surface(found: Any) -> dict[str, Any]:
    """The parts of a surface, each of the type that it must have."""
    given = found if isinstance(found, dict) else {}
    named = ("capabilities", "prompts", "resource_templates", "resources", "tools")
    surface: dict[str, Any] = {
        key: given[key] if isinstance(given.get(key), dict) else {} for key in named
    }
    instructions = given.get("instructions")
    return {**surface, "instructions": instructions if isinstance(instructions, str) else None}


def _named(entries: Iterable[Listed], key: str) -> dict[str, Any]:
    """Entries by their name; twins get a number, those without a name their place in the list."""
    found: dict[str, Any] = {}
    numbers: dict[str, int] = {}
    for entry in entries:
        given = entry.raw.get(key) if isinstance(entry.raw, dict) else None
        first = given if isinstance(given, str) and given else f"<index {entry.index}>"
        name = first = _text(first)
        while name in found:
            numbers[first] = numbers.get(first, 1) + 1
            name = f"{first} ({numbers[first]})"
        found[name] = _tidy(entry.raw)
    return found


def _tidy(value: Any, depth: int = 0) -> Any:
    """The value as any reader of JSON can hold it; long texts stay whole."""
    if depth >= _DEEPEST:
        return json_of(value)
    match value:
        case dict():
            return {_text(str(key)): _tidy(item, depth + 1) for key, item in value.items()}
        case list() | tuple():
            return [_tidy(item, depth + 1) for item in value]
        case str():
            return _text(value)
        case _:
            return plain(value)[0]


def _text(text: str) -> str:
    """The text as a file can hold it: lone surrogates as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
