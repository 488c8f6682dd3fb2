"""What an engine found, put into words and places of the schema as it came."""

from typing import Any

from toolproof.schemas.breach import Breach
from toolproof.schemas.closest import closest_of
from toolproof.schemas.dialects import Dialect
from toolproof.schemas.findings import Finding
from toolproof.schemas.located import Locator, Place
from toolproof.schemas.pointers import pointer_of, value_at
from toolproof.schemas.rewriting import Rewritten
from toolproof.schemas.wording import choice_message, message_of, type_message


class Explainer:
    """Makes breaches of findings.

    Args:
        words: The schema that the engine got.
    """

    def __init__(self, schema: Any, dialect: Dialect, words: Rewritten) -> None:
        self._locator = Locator(schema, dialect)
        self._words = words

    def breach(self, finding: Finding, value: Any) -> Breach:
        """The breach that a finding in `value` is."""
        place = self._place(finding)
        return Breach(
            pointer=pointer_of(finding.path),
            keyword=place.keyword,
            message=self._message(place, finding, value),
            value=value_at(value, finding.path),
            schema_pointer=pointer_of(place.path),
        )

    def _place(self, finding: Finding) -> Place:
        return self._locator.place(self._words.way(finding.schema_path))

    def _message(self, place: Place, finding: Finding, value: Any) -> str:
        part = value_at(value, finding.path)
        if not finding.branches:
            return message_of(place, part, finding.name)
        types = self._types_wanted(finding)
        if types:
            return type_message(part, types)
        closest = closest_of(finding)
        told = ""
        if closest is not None:
            where = pointer_of(closest.path[len(finding.path) :])
            said = message_of(self._place(closest), value_at(value, closest.path), closest.name)
            told = f"at {where} {said}" if where else said
        return choice_message(place, part, finding.branches, told)

    def _types_wanted(self, finding: Finding) -> list[str]:
        """The types that the branches want, where each refuses the value for its type alone."""
        types: list[str] = []
        for branch in finding.branches:
            place = self._place(branch[0]) if branch else None
            if place is None or place.keyword != "type" or branch[0].path != finding.path:
                return []
            wanted = place.node.get("type")
            types += [wanted] if isinstance(wanted, str) else wanted or ()
        return types
