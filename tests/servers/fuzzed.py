"""Tools with one fault each, and good ones: `python -m tests.servers.fuzzed NAME...` serves those named.

What a schema does not allow is refused first, but by tools whose name begins with `lax_`.
"""

import json
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.servers.mini import NOTHING, Message, RpcError, raw, serve, text

Arguments = dict[str, Any]
TEXT = {"type": "string", "maxLength": 200}
READING = {"readOnlyHint": True}
CHANGING = {"readOnlyHint": False, "destructiveHint": False}
TOOLS: dict[str, tuple[dict[str, Any], Callable[..., Any]]] = {}
kept: list[Any] = []
notes: dict[str, str | None] = {}
state = {"value": 1, "calls": 0, "left": 9_000}


class Refused(Exception):  # noqa: N818 - told as a result
    """The arguments are not what the tool takes."""


def tool(
    fields: dict[str, Any] | None = None, required: tuple[str, ...] = (), **more: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Serve the function as a tool; its schema is closed and its name that of the function."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        name = function.__name__
        schema = {
            "type": "object",
            "properties": fields or {},
            "required": list(required),
            "additionalProperties": False,
        }
        entry = {
            "name": name,
            "description": (function.__doc__ or "").strip(),
            "inputSchema": schema,
            "annotations": READING,
            **more,
        }
        TOOLS[name] = ({key: part for key, part in entry.items() if part is not None}, function)
        return function

    return add


def check(given: Arguments, schema: dict[str, Any]) -> None:
    for name in schema["required"]:
        if name not in given:
            raise Refused(f"missing required argument {name}")
    for name, value in given.items():
        if name not in schema["properties"]:
            raise Refused(f"unknown argument {name}")
        fits(name, value, schema["properties"][name])


def fits(name: str, value: Any, field: dict[str, Any]) -> None:
    kind = field.get("type")
    number = type(value) in (int, float)
    right = {
        "string": isinstance(value, str),
        "number": number,
        "integer": number and value == int(value),
        "boolean": isinstance(value, bool),
        "array": isinstance(value, list),
    }
    if kind and not right[kind]:
        raise Refused(f"{name} must be of type {kind}")
    if "enum" in field and value not in field["enum"]:
        raise Refused(f"{name} must be one of {field['enum']}")
    if kind == "string" and len(value) > field.get("maxLength", len(value)):
        raise Refused(f"{name} is too long")
    if kind == "string" and "pattern" in field and not re.search(field["pattern"], value):
        raise Refused(f"{name} must match {field['pattern']}")
    if number and not field.get("minimum", value) <= value <= field.get("maximum", value):
        raise Refused(f"{name} is out of range")
    if kind == "array":
        if len(value) > field.get("maxItems", len(value)):
            raise Refused(f"{name} is too long")
        for item in value:
            fits(f"{name}[]", item, field.get("items", {}))


# Good ones


@tool({"text": TEXT}, ("text",))
def good_echo(text: str) -> str:
    """Returns the text."""
    return text


@tool({"text": {"type": "string"}}, ("text",))
def good_wide(text: str) -> str:
    """Returns the text, however long."""
    return text


@tool()
def good_status() -> str:
    """Tells how it goes."""
    return "fine"


@tool({"id": {"type": "string", "pattern": "^b-[0-9]+$"}}, ("id",))
def get_book(id: str) -> str:  # noqa: A002
    """Returns a book."""
    if id != "b-77":
        raise Refused(f"there is no book {id}")
    return "the book"


@tool()
def list_books() -> str:
    """Lists the books."""
    return json.dumps({"books": [{"id": "b-77"}]})


@tool(annotations=None)
def delete_everything() -> str:
    """Deletes everything."""
    Path("deleted").touch()
    return "gone"


@tool(
    {"duration": {"type": "number", "description": "Seconds to wait.", "default": 30, "minimum": 0}}
)
def long_wait(duration: float = 30) -> str:
    """Waits as long as it is asked to."""
    time.sleep(duration)
    return "waited"


# Ends and time


@tool({"width": {"type": "integer", "minimum": 1, "maximum": 100}, "more": TEXT}, ("width",))
def crash_at_maximum(width: int, more: str = "") -> str:
    """Ends at a boundary."""
    if width == 100:
        sys.stderr.write("ZeroDivisionError: division by zero\n")
        sys.stderr.flush()
        os._exit(7)
    return f"{width} {more}"


@tool({"city": TEXT}, ("city",))
def crash_beyond_ascii(city: str) -> str:
    """Ends at a letter."""
    city.encode("ascii")
    return "ok"


@tool({"text": TEXT}, ("text",))
def crash_after_answer(text: str) -> Any:
    """Answers, then ends."""
    if text == "":
        kept.append("end")
    return text


@tool()
def crash_after_many() -> str:
    """Ends after so many calls."""
    state["calls"] += 1
    if state["calls"] > 70:
        os._exit(3)
    return "ok"


@tool({"name": TEXT}, ("name",))
def hang_at_empty(name: str) -> str:
    """Waits for ever."""
    if not name:
        time.sleep(3600)
    return name


@tool({"name": TEXT}, ("name",))
def silent_at_empty(name: str) -> Any:
    """Gives no answer, and lives on."""
    return name or NOTHING


@tool({"name": TEXT}, ("name",))
def slow_at_empty(name: str) -> str:
    """Takes its time once."""
    if not name:
        time.sleep(1.5)
    return name


@tool({"s": {"type": "string"}}, ("s",))
def quadratic(s: str) -> str:
    """Looks at each pair."""
    return str(sum(len(s[start:].replace("a", "b")) for start in range(len(s))))


@tool({"s": {"type": "string"}}, ("s",))
def in_line(s: str) -> str:
    """Looks at each letter for long, and at none twice."""
    return str(sum(sum(range(250)) for _ in s))


# Answers


@tool({"q": TEXT}, ("q",))
def internal_error(q: str) -> str:
    """Fails inside."""
    if "'" in q:
        raise RpcError(-32603, "sqlite3 died of a quote near 'x'")
    return "ok"


@tool({"items": {"type": "array", "items": {"type": "string"}, "maxItems": 9}}, ("items",))
def stack_trace(items: list[str]) -> Any:
    """Shows its insides."""
    if not items:
        frames = 'Traceback (most recent call last):\n  File "/srv/app/x.py", line 4, in f\n'
        return text(f"{frames}    items[0]\nIndexError: list index out of range", isError=True)
    return "ok"


@tool({"x": TEXT}, ("x",))
def masked_error(x: str) -> Any:
    """Tells nothing of what went wrong."""
    if not x:
        sys.stderr.write(
            'Traceback (most recent call last):\n  File "/srv/app/y.py", line 9, in g\n'
        )
        sys.stderr.write("KeyError: 'x'\n")
        sys.stderr.flush()
        return text("Error executing tool masked_error", isError=True)
    return "ok"


@tool(
    {"x": TEXT},
    ("x",),
    outputSchema={
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
    },
)
def wrong_output(x: str) -> Any:
    """Counts letters, at times in words."""
    return text(x, structuredContent={"n": len(x) if len(x) < 20 else "many"})


@tool({"x": TEXT})
def wrong_content(x: str = "") -> Any:
    """Gives a picture that is none."""
    del x
    return {"content": [{"type": "image", "mimeType": "image/png", "data": "not base64!"}]}


@tool({"level": {"type": "string", "enum": ["low", "high"]}}, ("level",))
def lax_enum(level: Any = None, **more: Any) -> str:
    """Takes any level."""
    if level is None or not isinstance(level, str) or more:
        raise Refused("level must be a string")
    return f"level {level}"


@tool({"text": TEXT}, ("text",))
def lax_keys(text: Any = None, **_more: Any) -> str:
    """Takes any key."""
    if not isinstance(text, str) or len(text) > 200:
        raise Refused("text must be a string")
    return text


@tool({"text": TEXT}, ("text",))
def lax_keys_too(text: Any = None, **_more: Any) -> str:
    """Takes any key as well."""
    return str(lax_keys(text))


@tool({"a": TEXT, "n": {"type": "integer", "minimum": 0}}, ("a", "n"))
def lax_all(**_given: Any) -> str:
    """Takes anything."""
    return "ok"


@tool({"path": TEXT}, ("path",))
def read_document(path: str) -> str:
    """Reads a file below the docs folder."""
    try:
        return (Path(__file__).parent / path).read_text(encoding="utf-8")[:300]
    except (OSError, ValueError):
        raise Refused("there is no such document") from None


@tool()
def leak_token() -> str:
    """Says too much."""
    return "debug: token=ghp_q8Zr2Kd9Lm4Xw7Tb1Nc5Vy3Hs6Pj0Fg2RaEx"


@tool()
def leak_configured() -> str:
    """Says too much as well."""
    return f"key {os.environ.get('SHOP_KEY', '')}"


@tool({"x": TEXT}, ("x",))
def error_as_success(x: str) -> str:
    """Never finds anything."""
    return f"Error: nothing is called {x[:5]}"


@tool({"x": TEXT}, ("x",))
def needs_network(x: str) -> Any:
    """Asks another server."""
    del x
    return text("connect ECONNREFUSED 127.0.0.1:9", isError=True)


@tool({"x": TEXT}, ("x",))
def odd_code(x: str) -> Any:
    """Refuses with a code of its own."""
    raise RpcError(0, f"resource not found: {x[:9]}")


@tool({"x": TEXT}, ("x",))
def noisy(x: str) -> str:
    """Logs to stdout."""
    raw(b"INFO noisy was called\n")
    return x


@tool({"x": TEXT}, ("x",))
def not_a_number(x: str) -> Any:
    """Measures, and fails."""
    return text("ok", structuredContent={"v": float("nan") if not x else 1.0})


# State


@tool({"x": TEXT}, ("x",))
def flaky(x: str) -> str:
    """Fails now and then."""
    state["calls"] += 1
    if state["calls"] % 7 == 0:
        raise Refused("a temporary glitch")
    return x


@tool({"x": TEXT}, ("x",))
def grows(x: str) -> str:
    """Forgets nothing."""
    kept.append("y" * 50_000 + str(len(kept)))
    return x


@tool({"x": TEXT}, ("x",))
def leaks_descriptors(x: str) -> str:
    """Closes nothing."""
    kept.append(os.open(os.devnull, os.O_RDONLY))
    return x


@tool()
def get_state() -> str:
    """Tells the state."""
    return str(state["value"])


@tool({"x": TEXT}, ("x",))
def peek_state(x: str) -> str:
    """Says that it only looks."""
    state["value"] += 1
    return x


@tool()
def items_left() -> str:
    """Tells how many wait."""
    return f"{state['left']} left"


@tool()
def next_item() -> str:
    """Says that it only looks, and takes one away."""
    state["left"] -= 1
    return "an item"


@tool({"title": TEXT}, ("title",), annotations=CHANGING)
def create_note(title: str) -> Any:
    """Makes a note."""
    ident = f"n{len(notes) + 1}"
    notes[ident] = title
    return text(json.dumps({"note_id": ident}), structuredContent={"note_id": ident})


@tool({"note_id": TEXT, "form": {"type": "string", "enum": ["md", "html"]}}, ("note_id",))
def read_note(note_id: str, form: str = "md") -> str:
    """Reads a note."""
    if note_id not in notes:
        raise Refused("there is no such note")
    if form == "html":
        raise RpcError(-32603, "the renderer of notes exploded")
    return notes[note_id] or "archived"


@tool({"note_id": TEXT}, ("note_id",), annotations=CHANGING)
def close_note(note_id: str) -> str:
    """Closes a note; twice is too much."""
    if note_id not in notes:
        raise Refused("there is no such note")
    if notes[note_id] is None:
        os._exit(5)
    notes[note_id] = None
    return "closed"


def call(message: Message) -> Any:
    params = message["params"]
    given = params.get("arguments", {})
    if not isinstance(given, dict) or params["name"] not in served:
        raise RpcError(-32602, "arguments must be an object, and the tool one of the list")
    entry, function = TOOLS[params["name"]]
    try:
        if not params["name"].startswith("lax_"):
            check(given, entry["inputSchema"])
        result = function(**given)
    except Refused as refused:
        return text(f"Invalid arguments: {refused}", isError=True)
    return text(result) if isinstance(result, str) else result


def out(message: Message) -> None:
    raw(json.dumps(message).encode() + b"\n")  # ASCII: it can say again what it was told
    if "end" in kept:
        time.sleep(0.05)
        os._exit(4)


served = sys.argv[1:]

if __name__ == "__main__":
    serve({"tools/call": call}, tools=[TOOLS[name][0] for name in served], out=out)
