"""How what a server advertises changed, and for whom that matters."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from toolproof.finish.difference import Difference, Effect, Steps
from toolproof.finish.subtyping import differences
from toolproof.finish.surface import Surface
from toolproof.schemas import identity, pointer_of
from toolproof.text import one_line, quoted, shorten


class Kind(StrEnum):
    """What a change means, the worst first.

    BREAKING: what worked may fail. ROUTING: a model reads another text, and may choose otherwise.
    ADDITIVE: something came on top. COSMETIC: nobody acts on it.
    """

    BREAKING = "breaking"
    ROUTING = "routing"
    ADDITIVE = "additive"
    COSMETIC = "cosmetic"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Kind).index(self)


@dataclass(frozen=True, slots=True)
class Change:
    """One change.

    Attributes:
        steps: Where in the lock: in the new one, or in the old one for what is gone.
        subject: The tool, prompt or resource; else the part of the server.
        message: What changed.
    """

    kind: Kind
    steps: Steps
    subject: str
    message: str

    @property
    def pointer(self) -> str:
        """The JSON pointer into the lock."""
        return pointer_of(self.steps)


Witness = Callable[[Any, Any], Any]
"""From an old schema and a new one to arguments that fit the old alone; None where none is known."""

_HINTS = {
    "readOnlyHint": (False, "is no longer read-only", "is read-only now"),
    "destructiveHint": (True, "is no longer destructive", "may be destructive now"),
    "idempotentHint": (False, "is no longer idempotent", "is idempotent now"),
    "openWorldHint": (True, "keeps to itself now", "may reach the outside world now"),
}
"""Hints with their defaults (MCP, ToolAnnotations), and the words for a false and a true one."""

_SAFE = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}


def changes(
    old: Surface, new: Surface, *, steps: Steps = (), witness: Witness = lambda _old, _new: None
) -> list[Change]:
    """What changed, the worst first.

    Args:
        old: The surface as it was; likewise `new`.
        steps: Where in the lock the surface stands.
        witness: Finds arguments that show that a tool accepts less.
    """
    found = [
        *_of_entries(old, new, "tools", "tool", _Tool(witness).compared),
        *_of_entries(old, new, "prompts", "prompt", _prompt),
        *_of_entries(old, new, "resources", "resource", _resource),
        *_of_entries(old, new, "resource_templates", "resource template", _resource),
        *_capabilities(old["capabilities"], new["capabilities"]),
        *_instructions(old["instructions"], new["instructions"]),
    ]
    placed = [replace(change, steps=(*steps, *change.steps)) for change in found]
    return sorted(placed, key=lambda change: change.kind.rank)


_Compare = Callable[[dict[str, Any], dict[str, Any], str], Iterator[Change]]


def _of_entries(
    old: Surface, new: Surface, key: str, noun: str, compare: _Compare
) -> Iterator[Change]:
    had, has = old[key], new[key]
    for name in sorted(had.keys() | has.keys()):
        before, after = had.get(name), has.get(name)
        subject = shorten(one_line(name), 120)
        if name not in has:
            yield Change(Kind.BREAKING, (key, name), subject, f"the {noun} is gone")
        elif name not in had:
            yield Change(Kind.ADDITIVE, (key, name), subject, f"the {noun} is new")
        elif identity(before) == identity(after):
            continue
        elif not isinstance(before, dict) or not isinstance(after, dict):
            words = f"the {noun}'s definition is no object, and changed"
            yield Change(Kind.BREAKING, (key, name), subject, words)
        else:
            for change in compare(before, after, subject):
                yield replace(change, steps=(key, name, *change.steps))


@dataclass(frozen=True, slots=True)
class _Tool:
    witness: Witness

    def compared(
        self, before: dict[str, Any], after: dict[str, Any], subject: str
    ) -> Iterator[Change]:
        yield from _text(before, after, subject, "description", Kind.ROUTING)
        yield from _text(before, after, subject, "title", Kind.COSMETIC)
        yield from self._input(before, after, subject)
        yield from _output(before, after, subject)
        yield from _annotations(before, after, subject)
        yield from _execution(before, after, subject)
        known = {"name", "description", "title", "inputSchema", "outputSchema"}
        yield from _rest(before, after, subject, known | {"annotations", "execution"})

    def _input(
        self, before: dict[str, Any], after: dict[str, Any], subject: str
    ) -> Iterator[Change]:
        key = "inputSchema"
        old, new = before.get(key, {}), after.get(key, {})
        shown = False
        for one in differences(old, new):
            kind = _kind(one, loses=Effect.NARROWS)
            message = _words(one)
            if kind is Kind.BREAKING and not shown:
                shown = True
                example = self.witness(old, new)
                if example is not None:
                    message += f"; accepted before, and not now: {quoted(example, 200)}"
            yield Change(kind, (key, *one.steps), subject, message)


def _output(before: dict[str, Any], after: dict[str, Any], subject: str) -> Iterator[Change]:
    key = "outputSchema"
    if key not in before and key not in after:
        return
    if key not in after:
        yield Change(Kind.BREAKING, (key,), subject, "it promises no structured results any more")
    elif key not in before:
        yield Change(Kind.ADDITIVE, (key,), subject, "it promises structured results now")
    else:
        for one in differences(before[key], after[key]):
            kind = _kind(one, loses=Effect.WIDENS)
            yield Change(kind, (key, *one.steps), subject, f"in its result, {_words(one)}")


def _kind(one: Difference, *, loses: Effect) -> Kind:
    """What a difference means where values that `loses` are those that somebody relied on."""
    if one.effect & (loses | Effect.DROPS_PROPERTY):
        return Kind.BREAKING
    if one.effect & Effect.TEXT:
        return Kind.ROUTING
    gains = Effect.NARROWS | Effect.WIDENS | Effect.ADDS_PROPERTY
    return Kind.ADDITIVE if one.effect & gains else Kind.COSMETIC


def _words(one: Difference) -> str:
    return f"{one.place}: {one.message}" if one.place else f"the whole: {one.message}"


def _annotations(before: dict[str, Any], after: dict[str, Any], subject: str) -> Iterator[Change]:
    key = "annotations"
    old, new = _object(before.get(key)), _object(after.get(key))
    for hint, (default, false_words, true_words) in _HINTS.items():
        had, has = (one[hint] if isinstance(one.get(hint), bool) else default for one in (old, new))
        if had != has:
            kind = Kind.ADDITIVE if has is _SAFE[hint] else Kind.BREAKING
            words = f"it {true_words if has else false_words} ({hint})"
            yield Change(kind, (key, hint), subject, words)
    for change in _rest(old, new, subject, set(_HINTS)):
        yield replace(change, steps=(key, *change.steps))


def _execution(before: dict[str, Any], after: dict[str, Any], subject: str) -> Iterator[Change]:
    """Whether a tool can, or must, be called as a task."""
    key = "execution"
    old, new = _object(before.get(key)), _object(after.get(key))
    had, has = (one.get("taskSupport", "forbidden") for one in (old, new))
    if had != has:
        kind = Kind.ADDITIVE if has == "optional" else Kind.BREAKING
        words = f"calling it as a task was {quoted(had, 20)} and is {quoted(has, 20)}"
        yield Change(kind, (key, "taskSupport"), subject, words)
    for change in _rest(old, new, subject, {"taskSupport"}):
        yield replace(change, steps=(key, *change.steps))


def _prompt(before: dict[str, Any], after: dict[str, Any], subject: str) -> Iterator[Change]:
    yield from _text(before, after, subject, "description", Kind.ROUTING)
    yield from _text(before, after, subject, "title", Kind.COSMETIC)
    old, new = _arguments(before), _arguments(after)
    for name in dict.fromkeys([*old, *new]):
        shown = quoted(name, 40)
        if name not in new:
            steps: Steps = ("arguments", old[name][0])
            yield Change(Kind.BREAKING, steps, subject, f"its argument {shown} is gone")
            continue
        index, has = new[name]
        steps = ("arguments", index)
        needed = has.get("required") is True
        if name not in old:
            kind = Kind.BREAKING if needed else Kind.ADDITIVE
            words = f"its argument {shown} is new{', and required' if needed else ''}"
            yield Change(kind, steps, subject, words)
            continue
        had = old[name][1]
        if (had.get("required") is True) != needed:
            kind = Kind.BREAKING if needed else Kind.ADDITIVE
            words = f"its argument {shown} is {'required' if needed else 'optional'} now"
            yield Change(kind, (*steps, "required"), subject, words)
        for change in _text(had, has, subject, "description", Kind.ROUTING):
            words = f"the description of its argument {shown} changed"
            yield replace(change, steps=(*steps, *change.steps), message=words)
    yield from _rest(before, after, subject, {"name", "description", "title", "arguments"})


def _arguments(prompt: dict[str, Any]) -> dict[str, tuple[int, dict[str, Any]]]:
    found = prompt.get("arguments")
    return {
        one["name"]: (index, one)
        for index, one in enumerate(found if isinstance(found, list) else ())
        if isinstance(one, dict) and isinstance(one.get("name"), str)
    }


def _resource(before: dict[str, Any], after: dict[str, Any], subject: str) -> Iterator[Change]:
    yield from _text(before, after, subject, "description", Kind.ROUTING)
    old, new = before.get("mimeType"), after.get("mimeType")
    if old != new:
        words = f"its mimeType changed from {quoted(old, 60)} to {quoted(new, 60)}"
        kind = Kind.ADDITIVE if old is None else Kind.BREAKING
        yield Change(kind, ("mimeType",), subject, words)
    yield from _rest(before, after, subject, {"uri", "uriTemplate", "description", "mimeType"})


def _capabilities(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    key = "capabilities"
    for name in sorted(old.keys() | new.keys()):
        subject = f"capability {one_line(name)}"
        if name not in new:
            yield Change(Kind.BREAKING, (key, name), subject, "it is no longer declared")
        elif name not in old:
            yield Change(Kind.ADDITIVE, (key, name), subject, "it is declared now")
        else:
            had, has = _object(old[name]), _object(new[name])
            for part in sorted(had.keys() | has.keys()):
                if identity(had.get(part)) != identity(has.get(part)):
                    lost = bool(had.get(part)) and not has.get(part)
                    kind = Kind.BREAKING if lost else Kind.ADDITIVE
                    words = f"its {quoted(part, 40)} changed from {quoted(had.get(part), 40)} to {quoted(has.get(part), 40)}"
                    yield Change(kind, (key, name, part), subject, words)


def _instructions(old: str | None, new: str | None) -> Iterator[Change]:
    if old != new:
        words = "they changed" if old and new else "they are new" if new else "they are gone"
        yield Change(Kind.ROUTING, ("instructions",), "instructions", words)


def _text(
    before: Mapping[str, Any], after: Mapping[str, Any], subject: str, key: str, kind: Kind
) -> Iterator[Change]:
    if identity(before.get(key)) != identity(after.get(key)):
        yield Change(
            kind,
            (key,),
            subject,
            f"its {key} changed{_first_change(before.get(key), after.get(key))}",
        )


def _first_change(old: Any, new: Any) -> str:
    """The first place where two texts differ, with a few words around."""
    if not isinstance(old, str) or not isinstance(new, str):
        return f" from {quoted(old, 60)} to {quoted(new, 60)}"
    least = min(len(old), len(new))
    at = next((i for i in range(least) if old[i] != new[i]), least)
    start = max(0, at - 20)
    return f": {quoted(old[start : at + 40], 60)} became {quoted(new[start : at + 40], 60)}"


def _rest(
    before: Mapping[str, Any], after: Mapping[str, Any], subject: str, known: set[str]
) -> Iterator[Change]:
    for key in sorted((before.keys() | after.keys()) - known):
        if identity(before.get(key)) != identity(after.get(key)):
            yield Change(Kind.COSMETIC, (key,), subject, f"its {quoted(key, 40)} changed")


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
