"""A process that outlived the server that started it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Survivor:
    """One such process.

    Attributes:
        command: Its command line, as far as it can be read.
    """

    pid: int
    command: str
