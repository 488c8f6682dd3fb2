"""Where in the file a value is: from the way to it to its line."""

from typing import NamedTuple


class Place(NamedTuple):
    """A line of the file.

    Attributes:
        file: The path of the file, as it was given.
        line: From 1.
    """

    file: str
    line: int
