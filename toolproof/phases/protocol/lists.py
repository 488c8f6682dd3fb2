"""Probes of the tool list: the same twice, and the same after calls."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from toolproof.connection.observations import Kind
from toolproof.errors import ServerError
from toolproof.phases.phase import PhaseContext
from toolproof.schemas import pointer_of
from toolproof.text import listed


async def compare_lists(context: PhaseContext) -> None:
    """List once more on the same connection: same tools, same order, same definitions."""
    before = [tool.raw for tool in context.info.tools]
    now = await context.server.list_raw("tools")
    names, again = _names(before), _names(now)
    if names != again and sorted(names) == sorted(again):
        moved = next(
            i for i, pair in enumerate(zip(names, again, strict=True)) if pair[0] != pair[1]
        )
        context.log.add(
            Kind.PROBE_LIST_ORDER,
            f"at place {moved} {names[moved]!r} the first time, {again[moved]!r} the second",
        )
    _compare_sets(context, names, again, after=None)
    _compare_definitions(context, before, now)


async def compare_after_calls(context: PhaseContext) -> None:
    """Once the other phases have made their calls: is the list still what it was?"""
    if not context.calls or context.server.ended is not None:
        return
    try:
        now = await context.server.list_raw("tools")
    except ServerError:
        return  # the server is gone: that is told elsewhere
    before = [tool.raw for tool in context.info.tools]
    _compare_sets(context, _names(before), _names(now), after=context.calls[-1].result.tool)
    _compare_definitions(context, before, now)


def _names(entries: Sequence[Any]) -> list[str]:
    found = [entry.get("name") if isinstance(entry, dict) else None for entry in entries]
    return [name if isinstance(name, str) else "" for name in found]


def _compare_sets(
    context: PhaseContext, names: Sequence[str], again: Sequence[str], *, after: str | None
) -> None:
    came, went = sorted(set(again) - set(names)), sorted(set(names) - set(again))
    if not came and not went:
        return
    told = any(one.facts.get("what") == "tools" for one in context.log.each(Kind.LIST_CHANGED))
    if told and context.info.protocol < "2026":
        return  # it said so, as servers before 2026-07-28 may
    context.log.add(
        Kind.PROBE_LIST_CHANGED,
        "the set of tools changed",
        came=listed(came),
        went=listed(went),
        after=after or "",
    )


def _compare_definitions(context: PhaseContext, before: Sequence[Any], now: Sequence[Any]) -> None:
    known = _by_name(before)
    for name, entry in _by_name(now).items():
        if name in known and entry != known[name]:
            path, old, new = _first_difference(known[name], entry)
            pointer = pointer_of(path)
            context.log.add(
                Kind.PROBE_DEFINITION_CHANGED,
                f"the definition changed at {pointer or 'its root'}: {_shown(old)} became {_shown(new)}",
                tool=name,
                pointer=pointer,
            )


def _by_name(entries: Sequence[Any]) -> Mapping[str, Any]:
    """Entries with a name that no other has: of twins nobody can say which is which."""
    names = _names(entries)
    return {
        name: entry
        for name, entry in zip(names, entries, strict=True)
        if name and names.count(name) == 1
    }


def _first_difference(old: Any, new: Any) -> tuple[list[str | int], Any, Any]:
    """The way to the first thing that is not the same, and both values there."""
    path: list[str | int] = []
    while True:
        step = _differing_step(old, new)
        if step is None:
            return path, old, new
        path.append(step)
        old, new = _at(old, step), _at(new, step)


def _differing_step(old: Any, new: Any) -> str | int | None:
    if isinstance(old, dict) and isinstance(new, dict):
        keys = [key for key in (*old, *new) if _at(old, key) != _at(new, key)]
        return keys[0] if keys else None
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return next(
            (i for i, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1]), None
        )
    return None


_MISSING = object()


def _at(value: Any, step: str | int) -> Any:
    if isinstance(value, dict):
        return value.get(step, _MISSING)
    return value[step]  # a list, and within it: `_differing_step` says so


def _shown(value: Any) -> str:
    if value is _MISSING:
        return "nothing"
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
