"""Paths that lead out of any folder, however deep it is: more than a dictionary's two or three steps up (pure)."""

import re
from collections.abc import Iterator

from toolproof.phases.fuzz.generate import Case, Plan, Slot, Stage
from toolproof.report.fuzz import InputMode

_CLIMB = "../" * 12
_TARGET = "etc/passwd"
_PATHLIKE = re.compile(
    r"path|file|dir|folder|doc|page|uri|url|template|name|image|asset|resource|key|id$",
    re.IGNORECASE,
)
_MOST_SLOTS = 4


def climbing_cases(plan: Plan) -> Iterator[Case]:
    """For each text that may be a path: straight up, and up from a name that may have to stand first."""
    named = [slot for slot in plan.slots if len(slot.path) == 1]
    likely = sorted(named, key=lambda slot: _PATHLIKE.search(slot.name) is None)
    for slot in likely[:_MOST_SLOTS]:
        for way in _ways(slot):
            arguments = slot.put(way)
            if plan.label(arguments) is InputMode.VALID:
                reason = f"{slot.name}=a path far up"
                yield Case(arguments, InputMode.VALID, reason, Stage.DICTIONARY, f"/{slot.name}")


def _ways(slot: Slot) -> Iterator[str]:
    yield _CLIMB + _TARGET
    there = slot.base.get(slot.name) if isinstance(slot.base, dict) else None
    if isinstance(there, str) and there and _PATHLIKE.search(slot.name):
        yield f"{there[:80].rstrip('/')}/{_CLIMB}{_TARGET}"
