"""Servers from the files of Claude Desktop, Claude Code, Cursor and VS Code."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from toolproof.config import jsonc
from toolproof.config.expand import Expansion
from toolproof.config.mistakes import Mistake, Steps, mistakes_in, seen
from toolproof.config.server import ServerConfig
from toolproof.config.source import read_text
from toolproof.config.verdict import refusal
from toolproof.errors import ConfigError
from toolproof.masking import Secrets
from toolproof.text import listed, nearest

_KINDS = {"stdio", "http", "sse", "streamable-http", "streamableHttp"}
_TAKEN_OVER = {"command", "args", "env", "url", "serverUrl", "headers", "cwd", "type", "transport"}
_MEANINGLESS = {
    "disabled",
    "autoApprove",
    "alwaysAllow",
    "description",
    "gallery",
    "version",
    "dev",
    "timeout",
}
_ENV = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}")
_INPUT = re.compile(r"\$\{input:([^}$]*)\}")
_FOLDERS = (".vscode", ".cursor", ".claude")


def load_mcp_json(path: str | Path, server: str | None = None) -> ServerConfig:
    """One server of an `mcpServers` file.

    Its variables are expanded; `notes` of the result tell what was left out.

    Args:
        path: The file: `claude_desktop_config.json`, `.mcp.json`, `.cursor/mcp.json`,
            `.vscode/mcp.json`.
        server: The server's name; not needed if there is only one.

    Raises:
        ConfigError: The file cannot be read, or does not say how to reach the server.
    """
    path = Path(path)
    try:
        whole = jsonc.loads(read_text(path, missing="Give the path of an mcpServers file."))
        way, servers = _servers(whole, path)
        name = _chosen(servers, server, path)
        return _server(servers[name], (*way, name), path)
    except json.JSONDecodeError as exc:
        raise ConfigError(
            f"it is not valid JSON: {exc.msg.lower()}",
            where=f"{path}:{exc.lineno}",
            file=str(path),
            line=exc.lineno,
        ) from None
    except (RecursionError, ValueError):
        raise ConfigError(
            "it cannot be read: it is nested too deep, or a number in it is too long",
            where=str(path),
            file=str(path),
        ) from None


def _servers(whole: Any, path: Path) -> tuple[Steps, Mapping[str, Any]]:
    """The servers by name, and the way to them."""
    ways: tuple[tuple[str, ...], ...] = (("mcpServers",), ("servers",), ("mcp", "servers"))
    for way in ways:
        found = whole
        for step in way:
            found = found.get(step) if isinstance(found, Mapping) else None
        if isinstance(found, Mapping) and found:
            return way, found
    raise ConfigError(
        "it has no servers: expected them under 'mcpServers' (or 'servers')",
        where=str(path),
        hint="Give the file in which your client keeps its MCP servers.",
        file=str(path),
    )


def _chosen(servers: Mapping[str, Any], name: str | None, path: Path) -> str:
    if name is None and len(servers) == 1:
        return next(iter(servers))
    if name is not None and name in servers:
        return name
    meant = nearest(name, list(servers)) if name is not None else None
    raise ConfigError(
        f"there is no server {name!r} in it: it has {listed(servers, most=20)}"
        if name is not None
        else f"it has {len(servers)} servers: {listed(servers, most=20)}",
        where=str(path),
        hint=f"Did you mean {meant!r}?" if meant else "Choose one with --server NAME.",
        file=str(path),
    )


def _server(entry: Any, at: Steps, path: Path) -> ServerConfig:
    expansion = Expansion(os.environ)
    mistakes = list(_wrong(entry, at))
    made = None
    if not mistakes:
        plain = _in_our_words(entry, path)
        values = expansion.of_server(plain, at)
        mistakes = list(expansion.mistakes)
        try:
            made = ServerConfig.model_validate(values)
        except ValidationError as exc:
            mistakes += [Mistake((*at, *m.steps), m.message) for m in mistakes_in(exc)]
    if mistakes or made is None:
        raise refusal(
            [(None, mistake) for mistake in mistakes],
            path,
            Secrets.of(expansion.taken),
            where=str(path),
        )
    return made.remembering(expansion.taken, tuple(_notes(entry)))


def _wrong(entry: Any, at: Steps) -> Iterator[Mistake]:
    if not isinstance(entry, Mapping):
        yield Mistake(at, f"expected a mapping with 'command' or 'url', got {seen(entry)}")
        return
    kind = entry.get("type", entry.get("transport"))
    if kind is not None and kind not in _KINDS:
        yield Mistake((*at, "type"), f"expected stdio, http or sse, got {seen(kind)}")
    if not isinstance(entry.get("args", []), list):
        yield Mistake((*at, "args"), f"expected a list, got {seen(entry['args'])}")
    if not isinstance(entry.get("command", ""), str):
        yield Mistake((*at, "command"), f"expected text, got {seen(entry['command'])}")
    for name in sorted(set(_INPUT.findall(json.dumps(entry)))):
        yield Mistake(
            at,
            f"it asks for the input {name!r}, and there is nobody to ask: put it into a variable of the environment, and write ${{env:NAME}}",
        )


def _in_our_words(entry: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The entry as the section `server`, with the variables of editors replaced."""
    url = entry.get("url", entry.get("serverUrl"))
    values: dict[str, Any] = {"url": url, "headers": entry.get("headers"), "cwd": entry.get("cwd")}
    if entry.get("command"):
        values["command"] = [entry["command"], *entry.get("args", [])]
    values["env"] = entry.get("env")
    return {
        key: _replaced(value, _folder(path)) for key, value in values.items() if value is not None
    }


def _folder(path: Path) -> Path:
    """The folder that a client has open: that of the file, or above an editor's own."""
    parent = path.absolute().parent
    return parent.parent if parent.name in _FOLDERS else parent


def _replaced(value: Any, folder: Path) -> Any:
    match value:
        case str():
            for name, text in (
                ("workspaceFolder", str(folder)),
                ("workspaceFolderBasename", folder.name),
                ("userHome", str(Path.home())),
                ("pathSeparator", os.sep),
                ("/", os.sep),
            ):
                value = value.replace(f"${{{name}}}", text)
            return _ENV.sub(r"${\1}", value)
        case list():
            return [_replaced(item, folder) for item in value]
        case dict():
            return {key: _replaced(item, folder) for key, item in value.items()}
        case _:
            return value


def _notes(entry: Mapping[str, Any]) -> Iterator[str]:
    if "envFile" in entry:
        yield f"envFile {seen(entry['envFile'])} is not read: set its variables under env"
    others = sorted(set(entry) - _TAKEN_OVER - _MEANINGLESS - {"envFile"})
    if others:
        yield f"keys that mean nothing here were left out: {listed(others)}"
