"""The section `server` of a new toolproof.yaml, without any secret in it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolproof.config import Config
from toolproof.config.secrets import SECRET_NAME
from toolproof.config.source import read_text
from toolproof.config.tree import read_tree


@dataclass(slots=True)
class ServerSection:
    """The section, and what it needs of the environment.

    Attributes:
        keys: As it shall stand in the file.
        needed: Values that are not written down, by the variable that stands for each.
    """

    keys: dict[str, Any] = field(default_factory=dict)
    needed: dict[str, str] = field(default_factory=dict)


def server_section(
    config: Config, path: Path, *, headers: Mapping[str, str], options: Mapping[str, Any]
) -> ServerSection:
    """The section for the config's server, in a file at `path`.

    Args:
        config: Of a file, of another program's file, or made of a command or a URL.
        path: Where the section will stand: paths in it start from its folder.
        headers: As they were typed, with their `${NAME}`.
        options: Keys of the section that were given as options.
    """
    section = ServerSection(_as_written(config) if config.path is not None else {})
    if config.path is None:
        _describe(config, headers, section)
    section.keys.pop("cwd", None)
    cwd = _cwd(config, path)
    if cwd:
        section.keys["cwd"] = cwd
    section.keys.update({key: value for key, value in options.items() if value is not None})
    return section


def _as_written(config: Config) -> dict[str, Any]:
    """The section of a file, with the `${NAME}` in it, but for what flags say of the server."""
    tree, _ = read_tree(read_text(Path(str(config.path))))
    whole: Any = tree.plain() if tree is not None else {}
    alias = config.server_alias
    section = whole.get("server") if alias is None else whole.get("servers", {}).get(alias)
    return {str(key): value for key, value in (section or {}).items() if value is not None}


def _describe(config: Config, headers: Mapping[str, str], section: ServerSection) -> None:
    """The section of a server that no toolproof.yaml describes."""
    server = config.server
    names = {value: name for name, value in server.taken.items() if value}

    def plain(text: str) -> str:
        for value, name in names.items():
            text = text.replace(value, f"${{{name}}}")
        return text

    if server.command:
        section.keys["command"] = [plain(word) for word in server.command]
    if server.url:
        section.keys["url"] = plain(server.url)
    for key, values in (("env", dict(server.env)), ("headers", {**server.headers, **headers})):
        if values:
            section.keys[key] = {
                name: _hidden(name, plain(value), config, section) for name, value in values.items()
            }


def _hidden(name: str, text: str, config: Config, section: ServerSection) -> str:
    """The text, or the variable that stands for it where it is secret."""
    if "${" in text or not (SECRET_NAME.search(name) or config.secrets.mask(text) != text):
        return text
    variable = name.upper().replace("-", "_")
    section.needed[variable] = text
    return f"${{{variable}}}"


def _cwd(config: Config, path: Path) -> str:
    """Where the command starts, from the folder of the file; empty for that folder itself."""
    if not config.server.command:
        return ""
    folder = path.resolve().parent
    start = (config.base_dir.resolve() / config.server.cwd).resolve()
    return "" if start == folder else Path(os.path.relpath(start, folder)).as_posix()
