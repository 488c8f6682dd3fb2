"""The stage that tries what is known to be hostile, place by place."""

from collections.abc import Iterator
from typing import Any

from toolproof.phases.fuzz.generate.deep import deep_drafts
from toolproof.phases.fuzz.generate.drafts import Draft, by_kind, chunks, in_turns, said
from toolproof.phases.fuzz.generate.hostile import KEYS, LONG, STRUCTURES, texts_for
from toolproof.phases.fuzz.generate.limits import LARGEST_VALUE
from toolproof.phases.fuzz.generate.numeric import BIG, FLOATS
from toolproof.phases.fuzz.generate.shape import NOTHING
from toolproof.phases.fuzz.generate.slots import Form, Slot
from toolproof.phases.fuzz.generate.values import Values, kinds_of

_CHUNK = 32
_MANY = 1_000


def dictionary_drafts(values: Values, slots: list[Slot]) -> Iterator[Draft]:
    """Arguments with one hostile part each; whether they fit depends on the schema."""
    deep = list(deep_drafts(slots))
    for part in chunks(slots, _CHUNK):
        tracks = by_kind(draft for slot in part for draft in _changes(values, slot))
        if deep:
            tracks["001 deep"] = deep
            deep = []
        yield from in_turns(tracks, sorted(tracks))


def _changes(values: Values, slot: Slot) -> Iterator[Draft]:
    shapes = values.shapes(slot.node)
    kinds = {kind for shape in shapes for kind in kinds_of(shape)}
    enums = all(shape.facts.choices is not None for shape in shapes)
    if slot.path:
        for rank, (value, word) in enumerate(_candidates(slot, kinds, is_enum=enums)):
            reason = said(slot.path, word, "=")
            yield Draft(slot.base, slot.path, value, f"{rank:03}", reason, slot.path)
    for form in slot.forms:
        if isinstance(form.value, dict):
            yield from _keys(values, form)


def _candidates(slot: Slot, kinds: set[str], *, is_enum: bool) -> Iterator[tuple[Any, str]]:
    if "string" in kinds:
        texts = texts_for(slot.name)
        yield from (next(texts) for _ in range(8)) if is_enum else texts
    if "number" in kinds:
        yield from BIG
        yield from FLOATS
    if "array" in kinds:
        yield from _arrays(slot)
    yield from STRUCTURES


def _arrays(slot: Slot) -> Iterator[tuple[Any, str]]:
    """Long arrays of what stands there already."""
    there: Any = slot.base
    for step in slot.path:
        there = there.get(step) if isinstance(there, dict) else there[step]
    if isinstance(there, list) and there and len(str(there[0])) * _MANY < LARGEST_VALUE:
        yield there[:1] * _MANY, f"{_MANY:,} items"
    yield [""], "an empty text in a list"
    yield [None], "null in a list"
    yield [[]], "a list in a list"
    yield ["a" * LONG], "a long text in a list"


def _keys(values: Values, form: Form) -> Iterator[Draft]:
    path = form.slot.path
    for rank, (key, word) in enumerate(KEYS):
        if key not in form.shape.fields:
            node = form.shape.field_node(key, values.matches)
            value = values.base(node, key)
            whole = {**form.value, key: "a" if value is NOTHING else value}
            reason = said(path, word, ": ")
            yield Draft(form.arguments, path, whole, f"key {rank:03}", reason, (*path, key))
