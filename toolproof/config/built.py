"""Which keys are refused because what they ask for is not built yet."""

from collections.abc import Iterator, Mapping
from typing import Any

from toolproof.config.mistakes import Mistake, Steps

NOT_BUILT: frozenset[str] = frozenset()
"""Keys as the file has them, `[]` for any entry of a list: whoever builds one takes it out here."""


def not_built(given: Mapping[str, Any]) -> Iterator[Mistake]:
    """A mistake for each use of a key that does nothing yet."""
    for key in sorted(NOT_BUILT):
        for steps in _uses(given, key.replace("[]", ".[]").split("."), ()):
            yield Mistake(steps, "this is not built yet; leave it out")


def _uses(value: Any, way: list[str], at: Steps) -> Iterator[Steps]:
    if not way:
        if value is not None:
            yield at
    elif way[0] == "[]":
        for index, item in enumerate(value if isinstance(value, list | tuple) else ()):
            yield from _uses(item, way[1:], (*at, index))
    elif isinstance(value, Mapping) and way[0] in value:
        yield from _uses(value[way[0]], way[1:], (*at, way[0]))
