"""What a server offers, for `toolproof inspect`: tools, arguments, tokens, capabilities, times."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from toolproof.judgement.tokens import tokens_of_json
from toolproof.report import RunReport, ServerInfo, Tool
from toolproof.reporters.escape import one_line, screen_lines
from toolproof.text import count

_HINTS = {
    "readOnlyHint": "read-only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open world",
}


def render(  # noqa: PLR0913 - each is a fact about where it is shown
    report: RunReport,
    *,
    terminal: bool,
    color: bool,
    width: int = 80,
    verbose: int = 0,
    ascii: bool = False,  # noqa: A002 - the caller's word
) -> str:
    """The server's offer; nothing where it was never reached.

    Args:
        report: Of a run that read the lists.
        terminal: Whether a person looks at it now: a table, wrapped to `width`.
        color: Whether it may hold ANSI colours.
        width: In columns.
        verbose: -1 for nothing; 1: also descriptions in full, resources, templates and prompts.
        ascii: Whether our symbols are written in ASCII.
    """
    info = report.server
    if info is None or verbose < 0:
        return ""
    lines = list(_head(report, info))
    if terminal:
        table = import_module("toolproof.reporters.offer_table")
        shown: str = table.render(
            rows(info), color=color, width=width, verbose=verbose, ascii_only=ascii
        )
        lines.append(shown.rstrip("\n"))
    else:
        lines += [_row(row) for row in rows(info)]
    lines += list(_others(info, verbose))
    text = screen_lines("\n".join(lines) + "\n\n")  # also in a job's log
    return text.replace("·", "-") if ascii else text


def _head(report: RunReport, info: ServerInfo) -> Iterator[str]:
    name = " ".join(part for part in (info.name, info.version) if part) or report.target
    words = [
        f"MCP {info.protocol}",
        info.transport,
        f"answered after {_time(info.timing.start_ms)}",
        f"list in {_time(info.timing.list_ms)}",
        f"about {count(sum(tokens_of_json(tool.raw) for tool in info.tools), 'token')}",
    ]
    yield one_line(f"{name}  {' · '.join(words)}")
    capabilities = ", ".join(_capability(*pair) for pair in info.capabilities.items())
    yield one_line(f"capabilities: {capabilities or 'none'}")


def _capability(name: str, value: Any) -> str:
    on = [key for key, given in value.items() if given is True] if isinstance(value, dict) else []
    return f"{name} ({', '.join(on)})" if on else name


def rows(info: ServerInfo) -> list[Mapping[str, str]]:
    """One for each tool: name, arguments, tokens, hints, description."""
    return [
        {
            "name": one_line(tool.label),
            "arguments": one_line(", ".join(_arguments(tool)) or "none"),
            "tokens": f"{tokens_of_json(tool.raw):,}",
            "hints": ", ".join(_hints(tool)),
            "description": one_line(" ".join(tool.description.split())),
        }
        for tool in info.tools
    ]


def _arguments(tool: Tool) -> Iterator[str]:
    """`city: string`, those that may be left out with a question mark."""
    properties = tool.input_schema.get("properties")
    required = tool.input_schema.get("required")
    needed = required if isinstance(required, list) else []
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        mark = "" if name in needed else "?"
        yield f"{name}{mark}: {_type(schema)}"


def _type(schema: Any) -> str:
    if not isinstance(schema, dict):
        return "any"
    given = schema.get("type")
    if isinstance(schema.get("enum"), list):
        return f"one of {len(schema['enum'])}"
    if isinstance(given, str):
        return given
    if isinstance(given, list):
        return " or ".join(str(one) for one in given)
    return "any"


def _hints(tool: Tool) -> Iterator[str]:
    for key, words in _HINTS.items():
        if tool.annotations.get(key) is True:
            yield words


def _row(row: Mapping[str, str]) -> str:
    hints = f"  [{row['hints']}]" if row["hints"] else ""
    return f"tool {row['name']}({row['arguments']})  {row['tokens']} tokens{hints}"


def _others(info: ServerInfo, verbose: int) -> Iterator[str]:
    lists = (
        ("resource", info.resources, "uri"),
        ("resource template", info.resource_templates, "uriTemplate"),
        ("prompt", info.prompts, "name"),
    )
    counted = [count(len(found), noun) for noun, found, _ in lists if found]
    if counted:
        yield "also: " + ", ".join(counted)
    for noun, found, member in lists if verbose > 0 else ():
        for entry in found:
            what = entry.raw.get(member) if isinstance(entry.raw, dict) else None
            yield one_line(f"{noun} {what if isinstance(what, str) else entry.label}")


def _time(ms: float) -> str:
    return f"{ms / 1000:.2f} s" if ms >= 1000 else f"{ms:.0f} ms"
