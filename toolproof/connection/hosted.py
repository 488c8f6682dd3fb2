"""A command that serves a URL: started, waited for until its port answers, and stopped at the end."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

from toolproof.connection.launch import Launch
from toolproof.connection.process import ServerProcess
from toolproof.connection.recorder import Tape
from toolproof.connection.wire import Ending
from toolproof.connection.witness import Witness

_PAUSE_S = 0.05
_PORTS = {"http": 80, "https": 443}


def _overlook(_data: bytes) -> None:
    """Its stdout is free text: drained, not judged."""


class Hosted:
    """The process behind a URL.

    Args:
        on_gone: Told once that it has ended: why, and how.
    """

    def __init__(
        self,
        launch: Launch,
        witness: Witness,
        tape: Tape,
        on_gone: Callable[[str, Ending | None], None],
    ) -> None:
        self.ending: Ending | None = None
        self._on_gone = on_gone
        self.process = ServerProcess(
            launch, witness, tape, on_output=_overlook, on_gone=self._gone, by_signal=True
        )

    async def start(self) -> None:
        """Start it.

        Raises:
            ServerError: It cannot be started.
        """
        await self.process.start()

    async def serves(self, url: str, limit_s: float) -> bool:
        """Whether its port took a connection within the limit, before it ended."""
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 80)
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                while self.process.running:
                    with suppress(OSError):
                        _, writer = await asyncio.open_connection(parts.hostname, port)
                        writer.close()
                        return True
                    await asyncio.sleep(_PAUSE_S)
        return False

    def _gone(self, reason: str, ending: Ending | None) -> None:
        self.ending = ending
        self._on_gone(reason, ending)
