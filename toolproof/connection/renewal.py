"""A session that the server ended over HTTP is opened anew: the handshake once more."""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from toolproof.connection.answers import ClientAnswers
from toolproof.connection.stamps import client_info
from toolproof.connection.wire import JsonObject, Outcome


class Renewable(Protocol):
    """What this needs of a session."""

    answers: ClientAnswers
    revision: str

    async def request(
        self, method: str, params: JsonObject, *, stamp: JsonObject | None = None
    ) -> Outcome: ...
    def notify(self, method: str, params: JsonObject | None = None) -> None: ...


class Renewal:
    """Shakes hands again whenever the transport asks for it; one task at a time."""

    def __init__(self, session: Renewable) -> None:
        self._session = session
        self._task: asyncio.Task[None] | None = None

    def __call__(self, failed: Callable[[str], None]) -> None:
        """Begin. The transport holds all other messages back until `initialized` has arrived.

        Args:
            failed: Told why, if it fails.
        """
        self._task = asyncio.create_task(self._shake_hands(failed))

    async def _shake_hands(self, failed: Callable[[str], None]) -> None:
        session = self._session
        hello = {
            "protocolVersion": session.revision,
            "capabilities": session.answers.capabilities,
            "clientInfo": client_info(),
        }
        made = await session.request("initialize", hello, stamp={})
        if made.result is None:
            said: Any = made.detail or (made.error or {}).get("message")
            failed(f"initialize, to open a new one, came to nothing: {said}")
            return
        session.notify("notifications/initialized")
