"""What tools share: how one is declared, what it may answer, and the state of one process."""

import copy
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

Json = Any
Schema = dict[str, Any]
Args = dict[str, Any]


class CallError(Exception):
    """The call failed in a way that the tool foresaw: a result with `isError`."""


class RpcError(Exception):
    """A JSON-RPC error: code and message."""


class NoReplyError(Exception):
    """The request is never answered."""


@dataclass
class World:
    """The state of one server process.

    Attributes:
        planted: Whether the bugs are on.
        record: Where calls of harmful tools are noted; None for nowhere.
        write: Puts bytes on standard output as they are.
        call_id: Of the request that is being answered.
        stamp: What the agreed revision wants in the result of that request.
        progress: The token by which that request asks for progress; None where it does not.
        kept: What tools remember, by a name of their choice.
    """

    planted: bool
    record: Path | None = None
    write: Callable[[bytes], None] = lambda _: None
    call_id: Json = None
    stamp: dict[str, Any] = field(default_factory=dict)
    progress: Json = None
    kept: dict[str, Any] = field(default_factory=dict)

    def notify(self, method: str, **params: Any) -> None:
        """Send a notification."""
        body = {"jsonrpc": "2.0", "method": method, "params": params}
        self.write(json.dumps(body).encode() + b"\n")

    def recall(self, name: str, kind: Callable[[], Any] = dict) -> Any:
        """What is kept under the name, made on first use."""
        if name not in self.kept:
            self.kept[name] = kind()
        return self.kept[name]


Answer = str | dict[str, Any]
Run = Callable[[Args, World], Answer]


@dataclass(frozen=True)
class Tool:
    """One tool.

    Attributes:
        schema: What the list says of its arguments.
        shown: What the list says of them while the bugs are on, if that is something else.
        enforced: What is checked while the bugs are on, if that is something else.
        raw: Whether an exception ends the process, as in a server without a net.
        any_arguments: Whether `arguments` of any type reach the tool while the bugs are on.
    """

    name: str
    description: str
    schema: Schema
    run: Run
    output: Schema | None = None
    hints: dict[str, bool] | None = None
    shown: Schema | None = None
    enforced: Schema | None = None
    raw: bool = False
    any_arguments: bool = False

    def definition(self, *, planted: bool) -> dict[str, Any]:
        """The entry of tools/list."""
        entry: dict[str, Any] = {
            "name": self.name,
            "description": self.description,
            "inputSchema": self.shown if planted and self.shown else self.schema,
        }
        if self.output is not None:
            entry["outputSchema"] = self.output
        if self.hints is not None:
            entry["annotations"] = self.hints
        return entry

    def checked(self, *, planted: bool) -> Schema:
        """The schema that arguments must fit."""
        return self.enforced if planted and self.enforced is not None else self.schema


TOOLS: dict[str, Tool] = {}
READS = {"readOnlyHint": True}
ADDS = {"readOnlyHint": False, "destructiveHint": False}
CLEARS = {"readOnlyHint": False, "destructiveHint": True}


def tool(
    description: str, schema: Schema, *, hints: dict[str, bool] | None = READS, **more: Any
) -> Callable[[Run], Run]:
    """Declare the function as a tool of its name."""

    def declare(run: Run) -> Run:
        name = run.__name__
        TOOLS[name] = Tool(name, description, schema, run, hints=hints, **more)
        return run

    return declare


def closed(needs: Sequence[str] = (), /, **fields: Schema) -> Schema:
    """An object with these fields and no others."""
    schema: Schema = {"type": "object", "properties": fields, "additionalProperties": False}
    if needs:
        schema["required"] = list(needs)
    return schema


def text(about: str, most: int | None = 200, **more: Any) -> Schema:
    """A string field."""
    bound = {} if most is None else {"maxLength": most}
    return {"type": "string", "description": about, **bound, **more}


def whole(about: str, least: int | None = None, most: int | None = None, **more: Any) -> Schema:
    """An integer field."""
    low = {} if least is None else {"minimum": least}
    high = {} if most is None else {"maximum": most}
    return {"type": "integer", "description": about, **low, **high, **more}


def number(about: str, **more: Any) -> Schema:
    return {"type": "number", "description": about, **more}


def flag(about: str) -> Schema:
    return {"type": "boolean", "description": about}


def one_of(about: str, *values: str) -> Schema:
    return {"type": "string", "description": about, "enum": list(values)}


def several(about: str, items: Schema, most: int | None = 50, **more: Any) -> Schema:
    """An array field."""
    bound = {} if most is None else {"maxItems": most}
    return {"type": "array", "description": about, "items": items, **bound, **more}


def less(schema: Schema, *path: str | int, **put: Any) -> Schema:
    """The schema without the keyword at the path; or with others in its place there."""
    found = copy.deepcopy(schema)
    holder: Any = found
    for step in path[:-1]:
        holder = holder[step]
    holder.pop(path[-1])
    holder.update(put)
    return found


def said(words: str, **more: Any) -> dict[str, Any]:
    """A result of one text block."""
    return {"content": [{"type": "text", "text": words}], "isError": False, **more}


def failed(words: str) -> dict[str, Any]:
    """A result of one text block that says that the call failed."""
    return {"content": [{"type": "text", "text": words}], "isError": True}


def structured(value: Any, words: str = "") -> dict[str, Any]:
    """A result with structured content."""
    return said(words or "Done.", structuredContent=value)


def die(code: int, last_words: str) -> NoReturn:
    """End the process as a crash does: words on stderr, and an exit code or, below 0, a signal."""
    sys.stderr.write(last_words + "\n")
    sys.stderr.flush()
    if code < 0 and hasattr(os, "kill"):
        without_core()
        os.kill(os.getpid(), -code)
    os._exit(abs(code))


def without_core() -> None:
    """No core file in the working folder."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
