"""Who sees what on one connection: adds the tool and the request in flight to each observation."""

from collections.abc import Callable
from typing import Any

from toolproof.connection.observations import Kind, ObservationLog

InFlight = tuple[str | None, str | None]
"""Tool and method of what is being waited for; None where there is none, or more than one."""


def _nothing() -> InFlight:
    return None, None


class Witness:
    """Writes into the log of a server what one connection saw.

    Transport and session share it; the session says what is in flight.

    Attributes:
        log: Where it goes; several connections may share one.
        in_flight: Asked at each observation.
    """

    def __init__(self, log: ObservationLog) -> None:
        self.log = log
        self.in_flight: Callable[[], InFlight] = _nothing

    def see(self, kind: Kind, detail: str, **facts: Any) -> None:
        """Note it, with what was in flight at this moment."""
        tool, method = self.in_flight()
        self.log.add(kind, detail, tool=tool, method=method, **facts)
