"""From a config to a started connection: which transport, which process, which session."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from toolproof.connection.answers import ClientAnswers
from toolproof.connection.backing import Backing, Secrets
from toolproof.connection.faults import with_stderr
from toolproof.connection.hosted import Hosted
from toolproof.connection.launch import Launch, launch
from toolproof.connection.observations import Kind, ObservationLog
from toolproof.connection.process import ServerProcess
from toolproof.connection.recorder import Recorder, Tape
from toolproof.connection.session import Session
from toolproof.connection.stdio import StdioTransport
from toolproof.connection.wire import Ending
from toolproof.connection.witness import Witness
from toolproof.errors import ServerError
from toolproof.records import record


class Target(Protocol):
    """What is needed of a `ServerConfig` to start or reach a server."""

    @property
    def command(self) -> Sequence[str] | None: ...
    @property
    def url(self) -> str | None: ...
    @property
    def env(self) -> Mapping[str, str]: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    @property
    def cwd(self) -> Path: ...
    @property
    def startup_timeout_s(self) -> float: ...


@record
class Equipment:
    """What every connection to one server gets; see `McpServer`."""

    log: ObservationLog
    recorder: Recorder
    answers: ClientAnswers
    secrets: Secrets | None
    auth: Any
    subscribers: list[Callable[[str, Any], None]]


class Connection:
    """One started session, with the process behind it where that is ours."""

    def __init__(
        self, session: Session, tape: Tape, process: ServerProcess | None, *, hosted: bool = False
    ) -> None:
        self.session = session
        self.tape = tape
        self.process = process
        self._hosted = hosted

    async def close(self, *, fast: bool = False) -> None:
        """Close the session, and end the process and all that it started."""
        try:
            await self.session.close(fast=fast)
        finally:
            if self._hosted and self.process is not None:
                await self.process.stop(fast=fast)


async def connect(config: Target, base_dir: Path | None, equipment: Equipment) -> Connection:
    """Start the process, or make ready to send to the URL.

    Raises:
        ServerError: It cannot be started.
    """
    witness, tape = Witness(equipment.log), equipment.recorder.tape()
    command = None
    if config.command:
        command = launch(config.command, config.env, config.cwd, base_dir)
    if config.url:
        return await _over_http(config, command, witness, tape, equipment)
    if command is None:
        raise ServerError("there is neither a command nor a url", hint="Set server.command.")
    transport = StdioTransport(command, witness, tape)
    session = Session(
        transport,
        witness,
        answers=equipment.answers,
        secrets=equipment.secrets,
        backing=Backing(
            hint=transport.hint,
            excuse=transport.excuse,
            waited_s=transport.waited_s,
            event=tape.event,
        ),
    )
    session.incoming.subscribers = equipment.subscribers
    await session.start()
    return Connection(session, tape, transport.process)


async def _over_http(
    config: Target, command: Launch | None, witness: Witness, tape: Tape, equipment: Equipment
) -> Connection:
    from toolproof.connection.http import HttpTransport  # stdio needs no httpx2

    url = config.url or ""
    transport = HttpTransport(url, witness, tape, headers=config.headers, auth=equipment.auth)
    session = Session(
        transport,
        witness,
        answers=equipment.answers,
        secrets=equipment.secrets,
        backing=Backing(
            over_http=True,
            refusal=lambda: transport.refusal,
            hosted=command is not None,
            event=tape.event,
        ),
    )
    session.incoming.subscribers = equipment.subscribers
    process = None
    if command is not None:
        process = await _host(config, command, witness, tape, session)
    await session.start()
    return Connection(session, tape, process, hosted=True)


async def _host(
    config: Target, command: Launch, witness: Witness, tape: Tape, session: Session
) -> ServerProcess:
    """Start the command that serves the URL, and wait until its port takes connections."""

    def gone(reason: str, ending: Ending | None) -> None:
        session.on_lost(reason, ending=ending)

    hosted = Hosted(command, witness, tape, gone)
    await hosted.start()
    limit_s = config.startup_timeout_s
    try:
        if await hosted.serves(config.url or "", limit_s):
            return hosted.process
    except BaseException:
        await hosted.process.stop(fast=True, blame=False)
        raise
    died = not hosted.process.running
    await hosted.process.stop(fast=True, blame=False)
    tail = hosted.process.stderr_tail(20)
    if died and hosted.ending is not None:
        words = f"it ended with {hosted.ending.words} before its port took a connection"
        witness.log.add(
            Kind.START_CRASH,
            f"the server {words.removeprefix('it ')}",
            exit=hosted.ending.words,
            last_line=hosted.ending.last_line,
        )
    else:
        words = f"its port took no connection within {limit_s:g} s"
        witness.log.add(Kind.START_TIMEOUT, words, seconds=limit_s)
    raise ServerError(with_stderr(words, tail))
