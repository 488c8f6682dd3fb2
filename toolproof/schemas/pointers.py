"""JSON pointers (RFC 6901): from a path to its text, and from a path to the value there."""

from collections.abc import Iterable
from typing import Any

Path = tuple[str | int, ...]
"""Keys of objects and indices of lists, from the top."""


Link = tuple["Link | None", Path]
"""A path as a chain: what leads here, and the last tokens. A walk makes a path of it only where it
needs one, as a path for every place would take time quadratic in the depth."""


def path_of(link: Link | None) -> Path:
    """The path that a chain is."""
    parts: list[Path] = []
    while link is not None:
        link, tokens = link
        parts.append(tokens)
    return tuple(token for part in reversed(parts) for token in part)


def escape_token(token: str | int) -> str:
    """One token of a JSON pointer."""
    if isinstance(token, int):
        return str(token)
    if "~" in token or "/" in token:
        return token.replace("~", "~0").replace("/", "~1")
    return token


def pointer_of(path: Iterable[str | int]) -> str:
    """The pointer of a path: `("properties", "a/b", 0)` is `/properties/a~1b/0`."""
    return "".join([f"/{escape_token(token)}" for token in path])


def steps_of(pointer: str) -> tuple[str, ...]:
    """The tokens of a pointer: `/properties/a~1b/0` is `("properties", "a/b", "0")`."""
    if not pointer:
        return ()
    tokens = pointer.removeprefix("/").split("/")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in tokens)


def value_at(value: Any, path: Iterable[str | int]) -> Any:
    """The value at a path.

    Raises:
        LookupError: There is nothing.
    """
    for token in path:
        match value:
            case dict():
                value = value[token if isinstance(token, str) else str(token)]
            case list():
                value = value[_index(token)]
            case _:
                raise LookupError(token)
    return value


def _index(token: str | int) -> int:
    """Raises LookupError for what is no index: RFC 6901 allows no sign and no leading zero."""
    if isinstance(token, int):
        return token
    plain = token.isascii() and token.isdigit() and len(token) < _MANY_DIGITS
    if not plain or (token[0] == "0" and len(token) > 1):
        raise LookupError(token)
    return int(token)


_MANY_DIGITS = 20  # no list is so long, and int() refuses more than 4,300 digits
