"""The requests that wait for an answer, and the one timer that watches over them all."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from toolproof.connection.wire import JsonObject, Outcome
from toolproof.connection.witness import InFlight

TOKENED = frozenset({"tools/call", "prompts/get", "resources/read"})
"""Methods whose requests carry a token for reports of progress."""


@dataclass(slots=True, eq=False)
class Pending:
    """A request in flight. Times are seconds of the event loop's clock.

    Attributes:
        ident: Its id; a new one for each round in which the server asked for more input.
        params: As the caller gave them, without stamps.
        deadline: When it is given up; progress moves it, but never beyond `limit`.
        idle_s: How long it may be silent.
        stamped: Whether it carries the `_meta` of the stateless revision.
        progress: How many valid reports of progress came.
        reached: The value of the last one.
        rounds: How often the server asked for more input.
        held: An error without an id, which may be the answer to a notification instead.
    """

    ident: int
    method: str
    params: JsonObject
    future: asyncio.Future[Outcome]
    begin: float
    idle_s: float
    deadline: float
    limit: float
    stamped: bool
    progress: int = 0
    reached: float = -math.inf
    rounds: int = 0
    held: tuple[JsonObject, bytes] | None = None

    @property
    def tool(self) -> str | None:
        """The tool that it calls, if it does."""
        name = self.params.get("name") if self.method == "tools/call" else None
        return name if isinstance(name, str) else None

    @property
    def tokened(self) -> bool:
        """Whether it told the server how to report progress on it."""
        return self.method in TOKENED


class Waiting:
    """All requests in flight of one connection.

    One timer stands at the earliest deadline; a request costs none of its own. It is not moved
    when a request ends: it fires, finds nothing overdue, and is set anew.

    Args:
        expire: Called for a request that is overdue, with the time; it must take it out.
    """

    def __init__(self, expire: Callable[[Pending, float], Any]) -> None:
        self.by_id: dict[int, Pending] = {}
        self._expire = expire
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._at = math.inf

    def add(self, pending: Pending) -> None:
        self.by_id[pending.ident] = pending
        if pending.deadline < self._at:
            self._set(pending.deadline)

    def sole(self) -> Pending | None:
        """The one request in flight, if there is exactly one."""
        return next(iter(self.by_id.values())) if len(self.by_id) == 1 else None

    def in_flight(self) -> InFlight:
        """The tool and the method in flight, each if there is exactly one."""
        tools: set[str | None] = set()
        methods: set[str] = set()
        for pending in self.by_id.values():
            methods.add(pending.method)
            if (tool := pending.tool) is not None:
                tools.add(tool)
            if len(tools) > 1:
                break
        return (
            next(iter(tools)) if len(tools) == 1 else None,
            next(iter(methods)) if len(methods) == 1 else None,
        )

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._at = None, math.inf

    def _set(self, at: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._at = self._loop.call_at(at, self._fire), at

    def _fire(self) -> None:
        self._timer, self._at = None, math.inf
        now = self._loop.time()
        for pending in [p for p in self.by_id.values() if p.deadline <= now]:
            self._expire(pending, now)
        if self.by_id and self._timer is None:
            self._set(min(p.deadline for p in self.by_id.values()))
