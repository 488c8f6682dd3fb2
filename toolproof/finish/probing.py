"""Which calls of a server's harmless tools succeed: tried out, gently, for a first config."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from toolproof.connection import McpServer
from toolproof.connection.results import call_result
from toolproof.finish.shapes import expectations, values_by_name
from toolproof.judgement.fitting import validator_of
from toolproof.judgement.naming import name_words
from toolproof.judgement.wording import reads_like_failure
from toolproof.report import CallResult, ServerInfo, Tool
from toolproof.text import one_line, shorten

MOST_TOOLS = 40
MOST_TRIES = 8
"""Calls of one tool until one succeeds."""
MOST_S = 60.0
"""For all of it."""
CALL_S = 5.0
MOST_OTHERS = 3
"""Resources and prompts, of each."""
_MOST_VALUES = 20
_PATHS = frozenset(
    {"path", "dir", "directory", "folder", "repo", "repository", "root", "workspace"}
)
"""Words in the names of arguments that may take a folder."""

Inputs = Callable[[Any, Mapping[str, Sequence[Any]]], Iterable[dict[str, Any]]]
"""From an inputSchema, and values known by name, to arguments that fit, the plainest first."""
Danger = Callable[[Tool], str | None]
"""Why a tool must not be called; None where it may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """One tool, resource or prompt, and what came of it.

    Attributes:
        what: tool, resource or prompt: the key of the test.
        name: What that key says.
        arguments: Of the call that succeeded, else of the first that was tried.
        expect: What to expect of it; None where none succeeded.
        why_not: Why there is no test of it, in one line.
    """

    what: str
    name: str
    arguments: Mapping[str, Any]
    expect: Mapping[str, Any] | None = None
    why_not: str = ""


async def probed(
    server: McpServer,
    info: ServerInfo,
    *,
    inputs: Inputs,
    danger: Danger,
    folders: Sequence[str] = (),
) -> list[Probed]:
    """Try the tools that change nothing; those that need least come first and help the others.

    A server that dies or hangs is started again, and the tool is left out.

    Args:
        server: The server, open.
        info: What it offers.
        inputs: Arguments that fit a schema.
        danger: Which tools are not called, and why.
        folders: What arguments that are called a path may be.

    Raises:
        ServerError: The server does not come back.
    """
    probing = _Probing(server, inputs, folders, time.monotonic() + MOST_S)
    found: dict[int, Probed] = {}
    harmless: list[Tool] = []
    seen: set[str] = set()
    for tool in info.tools:
        if not tool.name or tool.name in seen:
            continue
        seen.add(tool.name)
        why = danger(tool)
        if why is not None:
            found[tool.index] = _left_out(tool, inputs, f"not called: {why}")
        else:
            harmless.append(tool)
    for tool in sorted(harmless[:MOST_TOOLS], key=_needs):
        found[tool.index] = await probing.tool(tool)
    for tool in harmless[:MOST_TOOLS]:  # once more, with what the others gave
        if found[tool.index].expect is None and probing.learnt_since(tool):
            found[tool.index] = await probing.tool(tool)
    for tool in harmless[MOST_TOOLS:]:
        found[tool.index] = _left_out(tool, inputs, f"not called: {MOST_TOOLS} tools were")
    others = [
        *[await probing.resource(one) for one in _uris(info)],
        *[await probing.prompt(one) for one in _prompts(info)],
    ]
    return [*(found[index] for index in sorted(found)), *others]


def _needs(tool: Tool) -> int:
    required = tool.input_schema.get("required")
    return len(required) if isinstance(required, list) else 0


def _left_out(tool: Tool, inputs: Inputs, why: str) -> Probed:
    first = next(iter(islice(inputs(tool.input_schema, {}), 1)), {})
    return Probed(what="tool", name=tool.name, arguments=first, why_not=why)


def _uris(info: ServerInfo) -> Iterator[str]:
    given = (entry.raw.get("uri") for entry in info.resources if isinstance(entry.raw, dict))
    uris = dict.fromkeys(uri for uri in given if isinstance(uri, str) and uri.strip())
    yield from islice(uris, MOST_OTHERS)


def _prompts(info: ServerInfo) -> Iterator[str]:
    """Prompts that need no arguments."""
    names = dict.fromkeys(
        entry.name
        for entry in info.prompts
        if entry.name and not any(map(_is_required, _arguments(entry.raw)))
    )
    yield from islice(names, MOST_OTHERS)


def _arguments(raw: Any) -> list[Any]:
    found = raw.get("arguments") if isinstance(raw, dict) else None
    return found if isinstance(found, list) else []


def _is_required(argument: Any) -> bool:
    return isinstance(argument, dict) and argument.get("required") is True


class _Probing:
    """One server being tried out, and the values that it gave so far."""

    def __init__(
        self, server: McpServer, inputs: Inputs, folders: Sequence[str], until: float
    ) -> None:
        self._server = server
        self._inputs = inputs
        self._folders = folders
        self._until = until
        self._values: dict[str, list[Any]] = {}
        self._words: dict[str, None] = {}
        self._known: dict[str, int] = {}

    def learnt_since(self, tool: Tool) -> bool:
        """Whether there are values that the tool's last try did not have."""
        return self._size() > self._known.get(tool.name, 0)

    def _size(self) -> int:
        return sum(map(len, self._values.values())) + len(self._words)

    async def tool(self, tool: Tool) -> Probed:
        """Call it with one input after the other until two calls of the same succeed."""
        self._known[tool.name] = self._size()
        given = self._given(tool)
        tried: list[dict[str, Any]] = []
        why = "no arguments that fit its schema were found"
        for arguments in islice(self._inputs(tool.input_schema, given), MOST_TRIES):
            if time.monotonic() > self._until:
                why = "not called: there was no time left"
                break
            tried.append(arguments)
            results = [await self._call(tool.name, arguments)]
            wrong = _failure(results[0])
            if wrong is None:
                results.append(await self._call(tool.name, arguments))
                wrong = _failure(results[1])
            if wrong is None:
                self._learn(results[0])
                return Probed(
                    what="tool",
                    name=tool.name,
                    arguments=arguments,
                    expect=expectations(results),
                )
            why = wrong if len(tried) == 1 else why
            if results[-1].transport_error is not None:
                break
        first = tried[0] if tried else {}
        return Probed(what="tool", name=tool.name, arguments=first, why_not=why)

    async def resource(self, uri: str) -> Probed:
        """Read it."""
        return await self._other("resource", uri, "resources/read", {"uri": uri})

    async def prompt(self, name: str) -> Probed:
        """Get it."""
        return await self._other("prompt", name, "prompts/get", {"name": name})

    async def _other(self, what: str, name: str, method: str, params: dict[str, Any]) -> Probed:
        outcome = await self._server.outcome(method, params, idle_s=CALL_S)
        result = call_result(name, None, outcome, CALL_S)
        await self._mend(result)
        wrong = _failure(result)
        if wrong is None:
            text = {"regex": r"\S"} if result.text.strip() else {"is_error": False}
            return Probed(what=what, name=name, arguments={}, expect=text)
        return Probed(what=what, name=name, arguments={}, why_not=wrong)

    async def _call(self, tool: str, arguments: dict[str, Any]) -> CallResult:
        result = await self._server.call(tool, arguments, timeout_s=CALL_S)
        await self._mend(result)
        return result

    async def _mend(self, result: CallResult) -> None:
        if result.transport_error is not None and not await self._server.is_alive(2):
            await self._server.reconnect()

    def _learn(self, result: CallResult) -> None:
        for name, value in values_by_name(result):
            values = self._values.setdefault(name, [])
            if value not in values and len(values) < _MOST_VALUES:
                values.append(value)
        for word in result.text[:4000].split()[:200]:
            bare = word.strip(".,:;()[]{}\"'`")
            if 0 < len(bare) <= 80 and len(self._words) < 500:
                self._words[bare] = None

    def _given(self, tool: Tool) -> dict[str, list[Any]]:
        """Values seen before that each argument may take: of its name, or of its pattern; folders."""
        properties = tool.input_schema.get("properties")
        found: dict[str, list[Any]] = {}
        for name, schema in (properties if isinstance(properties, dict) else {}).items():
            values = list(self._values.get(name, ()))
            if isinstance(schema, dict) and isinstance(schema.get("pattern"), str):
                judge = validator_of(schema)
                if judge is not None:
                    values += [word for word in self._words if judge.fits(word)]
            if _PATHS.intersection(name_words(name)) and _takes_text(schema):
                values += self._folders
            if values:
                found[name] = values[:MOST_TRIES]
        return found


def _takes_text(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "string"


def _failure(result: CallResult) -> str | None:
    """Why the call was no success, in one line; None where it was one."""
    if result.transport_error is not None:
        return shorten(one_line(result.transport_error), 120)
    if result.is_error:
        return f"it fails: {shorten(one_line(result.text), 120) or 'no reason is given'}"
    said = reads_like_failure(result.text)
    return f"it fails: {shorten(one_line(said), 120)}" if said else None
