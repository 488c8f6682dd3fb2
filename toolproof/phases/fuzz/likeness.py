"""What inputs that end or block a server have in common: those like them are called last (pure)."""

from collections.abc import Iterator
from typing import Any

from toolproof.phases.fuzz.generate import ABSENT, Case

Trait = tuple[str, object]

_MOST_PARTS = 200
_SIGNS = "'\"\\/{}[]()<>%$*;|&`#=:,.@!?~^+- \n\t\r\0"
_LENGTHS = (8, 64, 250, 1_000, 5_000)
_SIZES = (10, 100, 1_000, 2**31 - 1, 2**53, 2**63)


class Likeness:
    """Learns from the calls of one tool which inputs to put off.

    What all calls that went well have cannot be why another one did not: what is left is suspected.
    """

    def __init__(self) -> None:
        self._well: list[Any] = []
        self._innocent: set[Trait] | None = None
        self._suspected: list[set[Trait]] = []

    def went_well(self, case: Case) -> None:
        """It was answered."""
        if self._innocent is None:
            self._well.append(case.arguments)
        else:
            traits = set(traits_of(case.arguments))
            self._innocent |= traits
            self._suspected = [suspected - traits for suspected in self._suspected]

    def went_wrong(self, case: Case) -> None:
        """It ended or blocked the server."""
        if self._innocent is None:
            self._innocent = set()
            for arguments in self._well:
                self._innocent.update(traits_of(arguments))
            self._well.clear()
        self._suspected.append(set(traits_of(case.arguments)) - self._innocent)

    def is_like_one(self, case: Case) -> bool:
        """Whether it has what only inputs have that went wrong."""
        if not self._suspected:
            return False
        traits = set(traits_of(case.arguments))
        return any(not traits.isdisjoint(suspected) for suspected in self._suspected)

    def explains(self, known: Case, case: Case) -> bool:
        """Whether a case has all that is suspected of a known one, and so would end as that did."""
        innocent = self._innocent or set()
        suspected = set(traits_of(known.arguments)) - innocent
        return bool(suspected) and suspected <= set(traits_of(case.arguments))


def traits_of(arguments: Any) -> Iterator[Trait]:
    """What may matter about arguments, part by part; places in lists count as one."""
    if arguments is ABSENT:
        yield "", "absent"
        return
    stack: list[tuple[str, Any]] = [("", arguments)]
    for _ in range(_MOST_PARTS):
        if not stack:
            return
        place, part = stack.pop()
        yield place, type(part).__name__
        if isinstance(part, dict):
            for key, inner in part.items():
                yield place, f"has {key}"
                stack.append((f"{place}/{key}", inner))
            yield from ((place, f"over {size} keys") for size in _LENGTHS if len(part) > size)
        elif isinstance(part, list):
            yield from (
                (place, f"over {size} items") for size in (0, *_LENGTHS) if len(part) > size
            )
            if not part:
                yield place, "no items"
            stack += [(f"{place}/*", inner) for inner in part[:20]]
        elif isinstance(part, str):
            yield from ((place, trait) for trait in _of_text(part))
        elif isinstance(part, int | float) and not isinstance(part, bool):
            yield from ((place, trait) for trait in _of_number(part))
        else:
            yield place, part


def _of_text(text: str) -> Iterator[str]:
    if not text:
        yield "empty"
    elif text.isspace():
        yield "blank"
    if not text.isascii():
        yield "not ASCII"
        if any(ord(char) > 0xFFFF for char in text):
            yield "beyond 16 bits"
    if not text.isprintable():
        yield "not printable"
    for sign in _SIGNS:
        if sign in text:
            yield f"sign {sign}"
    yield from (f"over {length} letters" for length in _LENGTHS if len(text) > length)
    if len(text) <= 40:
        yield f"text {text}"


def _of_number(number: float) -> Iterator[str]:
    if number == 0:
        yield "zero"
    elif number < 0:
        yield "negative"
    if number % 1:
        yield "fraction"
    yield from (f"over {size}" for size in _SIZES if abs(number) > size)
    if abs(number) < 2**63:
        yield f"number {number}"
