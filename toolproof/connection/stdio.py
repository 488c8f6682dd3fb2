"""A server over stdio: a process, its stdout as messages, its stdin as the way to it."""

from collections.abc import Mapping

from toolproof.connection.framing import MAX_LINE, Framer
from toolproof.connection.launch import Launch
from toolproof.connection.messages import encode
from toolproof.connection.process import ServerProcess
from toolproof.connection.recorder import Tape
from toolproof.connection.wire import Ending, JsonObject, Receiver
from toolproof.connection.witness import Witness
from toolproof.text import count

_MEGABYTE = 1_000_000


class StdioTransport:
    """A `Transport` over the pipes of one process."""

    def __init__(self, launch: Launch, witness: Witness, tape: Tape) -> None:
        self._launch = launch
        self._witness = witness
        self._tape = tape
        self._lost = False
        self._blame = True
        self._receiver: Receiver
        self._framer: Framer
        self.process: ServerProcess

    @property
    def unsent(self) -> int:
        return self.process.unsent

    async def open(self, receiver: Receiver) -> None:
        """Start the process.

        Raises:
            ServerError: It cannot be started.
        """
        self._receiver = receiver
        self._framer = Framer(receiver, self._witness, self._tape, self._too_long)
        self.process = ServerProcess(
            self._launch,
            self._witness,
            self._tape,
            on_output=self._framer.feed,
            on_gone=self._gone,
        )
        await self.process.start()

    def send(
        self,
        message: JsonObject,
        *,
        request_id: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send one message and return at once.

        Raises:
            ValueError: It cannot be written as JSON: a fault of ours. Likewise TypeError.
        """
        del request_id, headers  # HTTP needs them
        line = encode(message)
        self._tape.message("->", line)
        if not self._lost:
            self.process.write(line + b"\n")

    def abandon(self, request_id: int) -> None:
        """Nothing to do: on stdio a request is given up by a notification."""

    def stderr_tail(self, lines: int, since: int = 0) -> str:
        """The last lines that the server wrote on stderr, of those after the first `since`."""
        return self.process.stderr_tail(lines, since)

    def waited_s(self) -> float:
        """How long the server had to wait for a processor, in seconds."""
        return self.process.waited_s()

    def hint(self) -> str:
        """What may be why no answer came: input that is not read, a line that has no end."""
        if self.unsent:
            unsent = count(self.unsent, "byte")
            if self.unsent >= _MEGABYTE:
                unsent = f"{self.unsent / _MEGABYTE:.1f} MB"
            return f"the server did not read its input ({unsent} unsent)"
        if size := self._framer.unfinished_size:
            begin = self._framer.unfinished.decode(errors="replace")
            return f"its output has {count(size, 'byte')} without a line end: {begin!r}"
        return ""

    def excuse(self) -> None:
        """Let the server be late at its end: it is still busy with what it was asked."""
        self._blame = False

    async def close(self, *, fast: bool = False) -> None:
        """End the process and all that it started, in full even if the caller is cancelled."""
        await self.process.stop(fast=fast, blame=self._blame)

    def _too_long(self, size: int) -> None:
        self._gone(
            f"the server wrote a line of more than {MAX_LINE >> 20} MiB ({size:,} bytes so far)",
            None,
        )
        self.process.kill()

    def _gone(self, reason: str, ending: Ending | None) -> None:
        if not self._lost:
            self._lost = True
            self._framer.finish()
            self._receiver.on_lost(reason, ending=ending)
