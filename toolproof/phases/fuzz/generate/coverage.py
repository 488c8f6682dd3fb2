"""Every boundary and every branch, in valid arguments; and every single way of being invalid."""

from collections.abc import Iterator
from itertools import islice

from toolproof.phases.fuzz.generate.case import ABSENT, ARGUMENTS, Choice
from toolproof.phases.fuzz.generate.drafts import (
    REMOVED,
    Draft,
    by_kind,
    chunks,
    in_turns,
    said,
    whole,
)
from toolproof.phases.fuzz.generate.limits import MOST_FIELDS, MOST_ITEMS
from toolproof.phases.fuzz.generate.shape import NOTHING, Claim
from toolproof.phases.fuzz.generate.slots import Form, Slot
from toolproof.phases.fuzz.generate.structures import with_dependents
from toolproof.phases.fuzz.generate.values import Values
from toolproof.phases.fuzz.generate.wrong import Wrongs

_CHUNK = 64  # places whose changes take turns
_ODD = "toolproof"  # the name of a field that no schema lists

VALID_ORDER = (
    "given", "base", "foreign", "empty", "zero", "maximum", "minimum", "decimal", "null", "false",
    "branch 0", "branch 1", "branch 2", "absent", "extra", "blank", "negative", "enum", "full",
    "fraction", "sample", "same", "maximum-1", "minimum+1",
)  # fmt: skip

INVALID_ORDER = (
    "missing", "type", "enum", "null", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "extra", "long", "short", "pattern", "format", "arguments", "multiple", "same", "few", "many",
    "contains", "dependent", "name", "not", "oneOf", "encoding",
)  # fmt: skip


def valid_drafts(values: Values, slots: list[Slot]) -> Iterator[Draft]:
    """Arguments that should fit: few fields, all fields, one sort of value in all, one by one."""
    root = slots[0]
    yield whole(root.base, "base", "required fields only" if root.base else "no fields")
    yield whole(ABSENT, "arguments", "arguments left out", keyword=ARGUMENTS)
    yield whole({}, "empty", "no fields")
    for form in root.forms:
        yield from _packed(values, form)
    for part in chunks(slots, _CHUNK):
        tracks = by_kind(draft for slot in part for draft in _valid_changes(values, slot))
        yield from in_turns(tracks, VALID_ORDER)
    for form in root.forms:
        yield from _less_one(values, form)


def invalid_drafts(values: Values, wrongs: Wrongs, slots: list[Slot]) -> Iterator[Draft]:
    """Arguments with one thing wrong."""
    odd = [
        whole(ABSENT, "arguments", "arguments left out", keyword=ARGUMENTS),
        whole(None, "arguments", "arguments null", keyword=ARGUMENTS),
        whole([], "arguments", "arguments is a list", keyword=ARGUMENTS),
        whole("a", "arguments", "arguments is text", keyword=ARGUMENTS),
    ]
    for part in chunks(slots, _CHUNK):
        tracks = by_kind(draft for slot in part for draft in _invalid_changes(values, wrongs, slot))
        if odd:
            tracks["arguments"] = odd
            odd = []
        yield from in_turns(tracks, INVALID_ORDER)


def _packed(values: Values, form: Form) -> Iterator[Draft]:
    """All fields at once, plain; then each sort of value in all the fields that can have it."""
    full = values.structures.object(form.shape, 0, full=True)
    if full is NOTHING:
        return
    yield whole(full, "full", "every field")
    choices = {
        name: {
            choice.kind: choice.value
            for choice in reversed(
                values.choices(form.shape.field_node(name, values.matches), name)
            )
        }
        for name in islice(full, MOST_FIELDS)
        if name in form.shape.fields
    }
    for kind, word in _PACKED:
        changed = {name: kinds[kind] for name, kinds in choices.items() if kind in kinds}
        if len(changed) > 1:
            yield whole({**full, **changed}, kind, f"every field {word}")


_PACKED = (
    ("foreign", "with a letter outside ASCII"),
    ("empty", "empty"),
    ("zero", "0"),
    ("maximum", "at its maximum"),
    ("minimum", "at its minimum"),
    ("null", "null"),
    ("decimal", "as a decimal"),
    ("false", "false"),
)


def _valid_changes(values: Values, slot: Slot) -> Iterator[Draft]:
    for choice in values.choices(slot.node, slot.name):
        reason = said(slot.path, choice.word, "=")
        yield Draft(slot.base, slot.path, choice.value, choice.kind, reason, slot.path)


def _less_one(values: Values, form: Form) -> Iterator[Draft]:
    """All fields but one."""
    full = values.structures.object(form.shape, 0, full=True)
    for name in full if full is not NOTHING else ():
        if name not in form.shape.facts.required:
            reason = said((name,), "left out")
            yield Draft(full, (name,), REMOVED, "absent", reason, (name,))


def _invalid_changes(values: Values, wrongs: Wrongs, slot: Slot) -> Iterator[Draft]:
    if slot.path:
        for choice in wrongs.of(slot.node, slot.name):
            reason = said(slot.path, choice.word)
            yield Draft(
                slot.base, slot.path, choice.value, choice.kind, reason, slot.path, choice.keyword
            )
    else:
        for choice in wrongs.denied(slot.node, ""):
            yield whole(choice.value, choice.kind, choice.word, keyword=choice.keyword)
    for form in slot.forms:
        if isinstance(form.value, dict):
            yield from _wrong_objects(values, wrongs, form)


def _wrong_objects(values: Values, wrongs: Wrongs, form: Form) -> Iterator[Draft]:
    shape, path = form.shape, form.slot.path
    for name in shape.facts.required:
        if name in form.value:
            inner = (*path, name)
            reason = said(inner, "missing")
            yield Draft(form.arguments, inner, REMOVED, "missing", reason, inner, "required")
    yield from _extra_keys(values, form)
    for name in shape.forbidden:
        yield _with_key(form, name, "extra", said((*path, name), "not allowed here"), "not")
    yield from _wrong_dependents(values, form)
    yield from _wrong_names(wrongs, form)
    yield from _wrong_counts(values, form)


def _extra_keys(values: Values, form: Form) -> Iterator[Draft]:
    """A field that nothing allows, and one whose name is close to one that is allowed."""
    shape, path = form.shape, form.slot.path
    first = next(iter(shape.fields), _ODD)
    close = first.swapcase() if first.swapcase() != first else f"{first}_"
    for name, word in ((_ODD, "extra key"), (close, f"extra key like {first[:40]}")):
        node = shape.field_node(name, values.matches)
        if any(claim.spot.schema is False for claim in node) or not shape.is_sure:
            reason = said(path, word, ": ")
            yield _with_key(form, name, "extra", reason, "additionalProperties")


def _with_key(form: Form, name: str, kind: str, reason: str, keyword: str) -> Draft:
    path = form.slot.path
    whole_value = {**form.value, name: "a"}
    return Draft(form.arguments, path, whole_value, kind, reason, (*path, name), keyword)


def _wrong_dependents(values: Values, form: Form) -> Iterator[Draft]:
    """A field without another one that it needs."""
    shape, path = form.shape, form.slot.path
    for name, needs in shape.dependents.items():
        whole = dict(form.value)
        for needed in with_dependents(shape, [name]):
            node = shape.field_node(needed, values.matches)
            whole.setdefault(needed, values.base(node, needed))
        for need in needs:
            left = {key: value for key, value in whole.items() if key != need}
            if need in whole and NOTHING not in left.values():
                inner = (*path, need)
                reason = said(inner, f"missing beside {name}")
                yield Draft(
                    form.arguments, path, left, "dependent", reason, inner, "dependentRequired"
                )


_ODD_NAMES = (Choice("", "name", "empty"), Choice("\N{EURO SIGN} $", "name", "of signs"))


def _wrong_names(wrongs: Wrongs, form: Form) -> Iterator[Draft]:
    path = form.slot.path
    for spot in form.shape.names:
        for choice in (*wrongs.of((Claim(spot),), ""), *_ODD_NAMES):
            if isinstance(choice.value, str):
                name = choice.value
                reason = said(path, f"key {choice.word}", ": ")
                yield _with_key(form, name, "name", reason, "propertyNames")


def _wrong_counts(values: Values, form: Form) -> Iterator[Draft]:
    """Too few fields, and too many."""
    facts, path = form.shape.facts, form.slot.path
    if facts.fewest_keys and len(form.value) >= facts.fewest_keys:
        kept = [name for name in form.value if name in facts.required]
        others = [name for name in form.value if name not in facts.required]
        names = [*kept, *others][: facts.fewest_keys - 1]
        few = {name: form.value[name] for name in names}
        reason = said(path, "too few fields", ": ")
        yield Draft(form.arguments, path, few, "few", reason, path, "minProperties")
    if facts.most_keys is not None and facts.most_keys < MOST_ITEMS:
        many = dict(form.value)
        fields = ((name, form.shape.field_node(name, values.matches)) for name in form.shape.fields)
        for name, node in (*fields, *values.structures.extra_fields(form.shape)):
            if len(many) > facts.most_keys:
                break
            value = values.base(node, name)
            if value is not NOTHING:
                many.setdefault(name, value)
        reason = said(path, "too many fields", ": ")
        yield Draft(form.arguments, path, many, "many", reason, path, "maxProperties")
