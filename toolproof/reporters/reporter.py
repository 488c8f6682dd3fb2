"""What a reporter is."""

from collections.abc import Callable

from toolproof.records import record


@record
class Reporter:
    """One report format.

    Attributes:
        name: Also the name of its flag: `--junit PATH`.
        help: Of the flag, in one line.
        render: From a run's report, or a collection of them, to text; no I/O, no clock, no
            environment. Its keyword arguments, if any, are the format's own.
        appends: Add to the file instead of replacing it.
        variable: The environment variable in which some CI says where the file goes.
    """

    name: str
    help: str
    render: Callable[..., str]
    appends: bool = False
    variable: str | None = None
