"""What a schema accepts, before and after: more, less, or neither, keyword by keyword.

It proves what it can. Where it cannot tell, both are said, so that nothing that breaks is missed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from toolproof.finish.bounds import bound_changes
from toolproof.finish.difference import (
    Difference,
    Effect,
    Steps,
    alternatives_told,
    member,
    shown,
    some,
    types_told,
)
from toolproof.finish.schema_form import NOTHING, SILENT, TEXTS, Document, declared_types
from toolproof.schemas import identity
from toolproof.text import listed

_MOST_NODES = 20_000
_DEEPEST = 60
_MOST_TRIALS = 64
_CLOSING = ("additionalProperties", "unevaluatedProperties")


def differences(old: Any, new: Any) -> list[Difference]:
    """How two schemas differ, in the order of their parts; nothing where they are the same."""
    comparing = _Comparing(Document(old), Document(new))
    comparing.schemas(old, new, (), "")
    return comparing.found


class _Comparing:
    """One walk over two schemas side by side; references are followed, each pair once."""

    def __init__(self, old: Document, new: Document, budget: list[int] | None = None) -> None:
        self.old = old
        self.new = new
        self._budget = [_MOST_NODES] if budget is None else budget
        self.found: list[Difference] = []
        self._pairs: dict[tuple[int, int], tuple[Any, Any]] = {}  # kept, so that no id comes again

    def schemas(self, old: Any, new: Any, steps: Steps, place: str) -> None:
        """What differs between two schemas at the same place."""
        self._budget[0] -= 1
        if self._budget[0] < 0 or len(steps) > _DEEPEST:
            if identity(old) != identity(new):
                self._tell(steps, place, Effect.BOTH, "it changed, and is too large to tell how")
            return
        before, after = self.old.plain(old), self.new.plain(new)
        self._texts(before, after, steps, place)
        kept = self.old.place(old), self.new.place(new)
        pair = id(kept[0]), id(kept[1])
        if isinstance(kept[0], dict) and isinstance(kept[1], dict):
            if pair in self._pairs:
                return
            self._pairs[pair] = kept
        if (before == NOTHING) != (after == NOTHING):
            effect = Effect.WIDENS if before == NOTHING else Effect.NARROWS
            words = "it is allowed now" if before == NOTHING else "it is no longer allowed"
            self._tell(steps, place, effect, words)
            return
        if bool(_asserts(before)) != bool(_asserts(after)):
            effect = Effect.NARROWS if _asserts(after) else Effect.WIDENS
            words = "it can no longer be anything" if _asserts(after) else "it can now be anything"
            self._tell(steps, place, effect, words)
        elif self._is_wrapped(before, after):
            self._wrapped(before, after, steps, place)
        else:
            told = self._types(before, after, steps, place)
            had, has = self.old.types(old), self.new.types(new)
            if had & has:
                self._keywords(before, after, steps, place)
                return
            effect = Effect.NARROWS if had else Effect.NONE
            effect = (effect | Effect.WIDENS if has else effect) & ~told
            if effect:
                self._tell(steps, place, effect, "it can no longer be of the types that it was")

    def _tell(self, steps: Steps, place: str, effect: Effect, message: str) -> None:
        self.found.append(Difference(steps, place, effect, message))

    def _texts(
        self, before: Mapping[str, Any], after: Mapping[str, Any], steps: Steps, place: str
    ) -> None:
        for key in sorted(TEXTS & (before.keys() | after.keys())):
            if identity(before.get(key)) != identity(after.get(key)):
                words = f"its {key} changed"
                if key == "default":
                    words = f"its default changed from {shown(before, key)} to {shown(after, key)}"
                self._tell((*steps, key), place, Effect.TEXT, words)

    def _types(
        self, before: Mapping[str, Any], after: Mapping[str, Any], steps: Steps, place: str
    ) -> Effect:
        """Tell which types came and went; give what was told."""
        had, has = declared_types(before), declared_types(after)
        where = (*steps, "type") if "type" in {**before, **after} else steps
        lost, gained = types_told(had - has, had), types_told(has - had, has)
        if lost:
            self._tell(where, place, Effect.NARROWS, f"it can no longer be {listed(lost)}")
        if gained:
            self._tell(where, place, Effect.WIDENS, f"it can now be {listed(gained)}")
        narrows = Effect.NARROWS if lost else Effect.NONE
        return narrows | Effect.WIDENS if gained else narrows

    def _keywords(
        self, before: Mapping[str, Any], after: Mapping[str, Any], steps: Steps, place: str
    ) -> None:
        self._values(before, after, steps, place)
        for key, effect, words in bound_changes(before, after):
            self._tell((*steps, key), place, Effect[effect], words)
        self._object(before, after, steps, place)
        for key, step in (("items", "[]"), ("contains", "[]"), ("propertyNames", ".*")):
            self._one(key, before, after, steps, place + step)
        self._tuple(before, after, steps, place)
        self._alternatives(before, after, steps, place)
        self._all_of(before, after, steps, place)
        self._not(before, after, steps, place)
        self._others(before, after, steps, place)

    def _values(
        self, before: Mapping[str, Any], after: Mapping[str, Any], steps: Steps, place: str
    ) -> None:
        """`enum` (and `const`, which is one of a single value)."""
        had, has = before.get("enum"), after.get("enum")
        where = (*steps, "const" if has is not None and len(_list(has)) == 1 else "enum")
        if not isinstance(had, list) and not isinstance(has, list):
            return
        if not isinstance(had, list):
            self._tell(where, place, Effect.NARROWS, f"only {some(_list(has))} are allowed now")
            return
        if not isinstance(has, list):
            self._tell(where, place, Effect.WIDENS, f"no longer just {some(had)} are allowed")
            return
        old, new = ({identity(one): one for one in values} for values in (had, has))
        lost = [one for key, one in old.items() if key not in new]
        gained = [one for key, one in new.items() if key not in old]
        if lost:
            self._tell(where, place, Effect.NARROWS, f"it can no longer be {some(lost)}")
        if gained:
            self._tell(where, place, Effect.WIDENS, f"it can now be {some(gained)}")

    def _object(
        self, before: Mapping[str, Any], after: Mapping[str, Any], steps: Steps, place: str
    ) -> None:
        had, has = _dict(before.get("properties")), _dict(after.get("properties"))
        was_closed, is_closed = (any(key in one for key in _CLOSING) for one in (before, after))
        needed, needs = (set(map(str, _list(one.get("required")))) for one in (before, after))
        for name in dict.fromkeys([*had, *has]):
            at, where = (*steps, "properties", name), member(place, name)
            if name in had and name in has:
                self.schemas(had[name], has[name], at, where)
            elif name in has and name not in needs - needed:
                effect = Effect.ADDS_PROPERTY | (Effect.WIDENS if was_closed else Effect.NONE)
                self._tell(at, where, effect, "it is new")
            elif name not in has:
                effect = Effect.DROPS_PROPERTY | (Effect.NARROWS if is_closed else Effect.NONE)
                self._tell(at, where, effect, "it is gone")
        for name in sorted(needs - needed):
            words = "it is required now" if name in had else "it is new, and required"
            unknown = was_closed and name not in had
            effect = Effect.BOTH if unknown else Effect.NARROWS
            self._tell((*steps, "required"), member(place, name), effect, words)
        for name in sorted(needed - needs):
            if name in has or name not in had:
                self._tell(
                    (*steps, "required"), member(place, name), Effect.WIDENS, "it is optional now"
                )
        for key in _CLOSING:
            self._one(key, before, after, steps, place + ".*")
        self._named("patternProperties", before, after, steps, place)
        self._named("dependentSchemas", before, after, steps, place)

    def _one(
        self,
        key: str,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        steps: Steps,
        place: str,
    ) -> None:
        """A keyword that holds one schema; where it is missing, anything fits."""
        had, has = before.get(key, True), after.get(key, True)
        if isinstance(had, list) or isinstance(has, list):  # the tuples of older drafts
            if identity(had) != identity(has):
                self._tell((*steps, key), place, Effect.BOTH, f"{key} changed")
        elif key in before or key in after:
            self.schemas(had, has, (*steps, key), place)

    def _named(
        self,
        key: str,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        steps: Steps,
        place: str,
    ) -> None:
        """A keyword that holds schemas by name, each of which only restricts."""
        had, has = _dict(before.get(key)), _dict(after.get(key))
        for name in dict.fromkeys([*had, *has]):
            self.schemas(had.get(name, True), has.get(name, True), (*steps, key, name), place)

    def _tuple(
        self, before: Mapping[str, Any], after: Mapping[str, Any], steps: Steps, place: str
    ) -> None:
        had, has = _list(before.get("prefixItems")), _list(after.get("prefixItems"))
        rest = before.get("items", True), after.get("items", True)
        for index in range(max(len(had), len(has))):
            old = had[index] if index < len(had) else rest[0]
            new = has[index] if index < len(has) else rest[1]
            self.schemas(old, new, (*steps, "prefixItems", index), f"{place}[{index}]")

    def _is_wrapped(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
        """Whether one is nothing but alternatives and the other has none: it may be one of them."""
        had, has = _branches(before), _branches(after)
        whole = before if had is not None else after
        return (had is None) != (has is None) and _asserts(whole) <= {"anyOf", "oneOf"}

    def _wrapped(
        self, before: Mapping[str, Any], after: Mapping[str, Any], steps: Steps, place: str
    ) -> None:
        had, has = _branches(before), _branches(after)
        alone = {**(before if had is None else after)}
        for key in TEXTS & alone.keys():
            del alone[key]
        self._cover(had or [alone], has or [alone], steps, place)

    def _alternatives(
        self, before: Mapping[str, Any], after: Mapping[str, Any], steps: Steps, place: str
    ) -> None:
        key = next((key for key in ("anyOf", "oneOf") if key in {**before, **after}), None)
        if key is None:
            return
        had, has = _branches(before), _branches(after)
        if had is not None and has is not None:
            self._cover(had, has, (*steps, key), place)
        elif has is not None:
            self._tell((*steps, key), place, Effect.NARROWS, "it must be one of some alternatives")
        elif had is not None:
            words = "it need no longer be one of some alternatives"
            self._tell((*steps, key), place, Effect.WIDENS, words)

    def _cover(self, had: Sequence[Any], has: Sequence[Any], steps: Steps, place: str) -> None:
        """Which of the old alternatives have one in the new that takes all of it, and the reverse."""
        new_marks = [identity(one) for one in has]
        old_marks = [identity(one) for one in had]
        left = [one for one, mark in zip(had, old_marks, strict=True) if mark not in set(new_marks)]
        come = [
            (index, one)
            for index, (one, mark) in enumerate(zip(has, new_marks, strict=True))
            if mark not in set(old_marks)
        ]
        if len(left) == len(come) == 1:
            self.schemas(left[0], come[0][1], (*steps, come[0][0]), place)
            return
        small = len(left) * max(len(has), 1) + len(come) * max(len(had), 1) <= _MOST_TRIALS
        kept = [self._best(one, has) if small else None for one in left]
        fresh = [self._best(one, had, turned=True) if small else None for _, one in come]
        if None in kept:
            words = f"{alternatives_told(kept.count(None))} no longer accepted"
            self._tell(steps, place, Effect.NARROWS, words)
        if None in fresh:
            words = f"{alternatives_told(fresh.count(None))} new"
            self._tell((*steps, come[fresh.index(None)][0]), place, Effect.WIDENS, words)
        if Effect.ADDS_PROPERTY in kept or Effect.ADDS_PROPERTY in fresh:
            words = "an alternative has other members"
            self._tell(steps, place, Effect.ADDS_PROPERTY, words)

    def _best(self, inner: Any, outers: Sequence[Any], *, turned: bool = False) -> Effect | None:
        """How one of some schemas takes all that fits `inner`; None where none surely does.

        NONE: as it is. ADDS_PROPERTY: but for members that only one of the two names.

        Args:
            inner: An old schema; a new one where it is turned.
            outers: Schemas of the other side.
        """
        documents = (self.new, self.old) if turned else (self.old, self.new)
        best: Effect | None = None
        for outer in outers:
            trial = _Comparing(*documents, self._budget)
            trial.schemas(inner, outer, (), "")
            effects = [one.effect for one in trial.found]
            if not any(effect & (Effect.NARROWS | Effect.DROPS_PROPERTY) for effect in effects):
                if not any(effect & Effect.ADDS_PROPERTY for effect in effects):
                    return Effect.NONE
                best = Effect.ADDS_PROPERTY
        return best

    def _all_of(
        self, before: Mapping[str, Any], after: Mapping[str, Any], steps: Steps, place: str
    ) -> None:
        had, has = _list(before.get("allOf")), _list(after.get("allOf"))
        old_marks, new_marks = set(map(identity, had)), set(map(identity, has))
        left = [one for one in had if identity(one) not in new_marks]
        come = [(i, one) for i, one in enumerate(has) if identity(one) not in old_marks]
        if len(left) == len(come):
            for old, (index, new) in zip(left, come, strict=True):
                self.schemas(old, new, (*steps, "allOf", index), place)
            return
        if come:
            self._tell((*steps, "allOf"), place, Effect.NARROWS, "more must hold at once")
        if left:
            self._tell((*steps, "allOf"), place, Effect.WIDENS, "less must hold at once")

    def _not(
        self, before: Mapping[str, Any], after: Mapping[str, Any], steps: Steps, place: str
    ) -> None:
        if "not" not in before and "not" not in after:
            return
        inner = _Comparing(self.old, self.new, self._budget)
        inner.schemas(before.get("not", False), after.get("not", False), (*steps, "not"), place)
        for one in inner.found:
            self._tell(
                one.steps, one.place, one.effect.turned, f"what it must not be: {one.message}"
            )

    def _others(
        self, before: Mapping[str, Any], after: Mapping[str, Any], steps: Steps, place: str
    ) -> None:
        """Keywords of which nothing more is known than that they differ."""
        for key in sorted((before.keys() | after.keys()) - _KNOWN):
            if identity(before.get(key)) != identity(after.get(key)):
                effect = Effect.BOTH if key in _ASSERTING else Effect.NONE
                self._tell((*steps, key), place, effect, f"{key} changed")


_ASSERTING = frozenset(
    {
        *("if", "then", "else", "$ref", "$dynamicRef", "$recursiveRef", "dependencies"),
        *("additionalItems", "unevaluatedItems"),
    }
)
_KNOWN = (
    TEXTS
    | SILENT
    | {
        *("type", "enum", "properties", "required", "patternProperties", "dependentSchemas"),
        *("additionalProperties", "unevaluatedProperties", "items", "contains", "propertyNames"),
        *("prefixItems", "anyOf", "oneOf", "allOf", "not"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
        *("minContains", "maxContains", "pattern", "format", "uniqueItems", "dependentRequired"),
    }
)


def _asserts(schema: Mapping[str, Any]) -> set[str]:
    return set(schema) - TEXTS - SILENT


def _branches(schema: Mapping[str, Any]) -> list[Any] | None:
    found = [schema[key] for key in ("anyOf", "oneOf") if isinstance(schema.get(key), list)]
    return [branch for branches in found for branch in branches] if found else None


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
