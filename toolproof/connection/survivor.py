"""A process that outlived the server that started it."""

from toolproof.records import record


@record
class Survivor:
    """One such process.

    Attributes:
        command: Its command line, as far as it can be read.
    """

    pid: int
    command: str
