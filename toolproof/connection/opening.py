"""Agree on a revision with a server: probe the stateless way, else shake hands (`protocol.md`, 2)."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

from toolproof.connection.faults import with_stderr
from toolproof.connection.handshake import (
    MODERN_CODES,
    Handshake,
    discovered,
    error_code,
    initialized,
    is_discovery,
    legacy_in,
    versions_in,
)
from toolproof.connection.observations import Kind
from toolproof.connection.session import Session
from toolproof.connection.stamps import client_info
from toolproof.connection.wire import LEGACY, MODERN, REVISIONS, Failure, Outcome
from toolproof.errors import ServerError
from toolproof.text import listed, shorten

AUTO = "auto"
PROBE_S = 2.0
"""How long the first answer to the probe is waited for, inside the start-up limit."""
SLOW_S = 5.0
"""A first answer that took longer is told."""
_SECOND_PROBE_S = 5.0
_AT_ONCE_S = 1.0
_STDERR_LINES = 20
_FALLBACKS = (LEGACY[-1], "2024-11-05", "2025-06-18", "2025-03-26")

Waited = asyncio.Future[Outcome]


class Opening:
    """The start of one connection, with a second process where the first one died of the probe.

    Args:
        session: Started, nothing sent.
        connect: Starts another one, after this has closed the first.
        protocol: `auto`, or the one revision to speak.
        limit_s: For all of it, from `session.began`.
        known: What was agreed on before, for a restart: no probe then.

    Attributes:
        session: The one in use: not the given one after a restart.
    """

    def __init__(
        self,
        session: Session,
        connect: Callable[[], Awaitable[Session]],
        *,
        protocol: str,
        limit_s: float,
        known: Handshake | None = None,
    ) -> None:
        self.session = session
        self._connect = connect
        self._protocol = protocol
        self._limit_s = limit_s
        self._known = known
        self._began = session.began
        self._refused: list[str] = []
        self._probed = False
        self._died_of_probe = ""
        self._asked_at = session.began

    async def open(self) -> Handshake:
        """Agree on a revision within the limit.

        Raises:
            ServerError: The server died, was silent, or agreed on nothing.
        """
        self._asked_at = self.session.now()
        pinned = self._known.revision if self._known else self._protocol
        if pinned == MODERN:
            made = await self._stateless()
        elif pinned in LEGACY:
            offer = self._known.offered if self._known else pinned
            made = await self._shake_hands([offer or pinned])
        else:
            made = await self._probe()
        self._tell()
        now = self.session.now()
        return replace(made, start_ms=(now - self.session.began) * 1000)

    def _tell(self) -> None:
        session = self.session
        session.mark_opened()
        answered_at = session.first_answer_at or session.began
        took_s = answered_at - session.began
        ready = answered_at - self._asked_at < _AT_ONCE_S  # so it had waited for us
        # A busy machine is not the server's fault, and the verdict must not depend on it.
        if took_s > SLOW_S and not ready and took_s - session.backing.waited_s() > SLOW_S:
            session.witness.log.add(
                Kind.SLOW_START, f"the first answer took {took_s:.1f} s", seconds=round(took_s, 1)
            )
        if self._died_of_probe:
            session.witness.log.add(
                Kind.ENDS_AT_PROBE,
                f"it ended at the request server/discover: {self._died_of_probe}",
                method="server/discover",
            )

    @property
    def _left(self) -> float:
        return max(0.0, self._began + self._limit_s - self.session.now())

    # The stateless way

    def _discover(self) -> Waited:
        session = self.session
        session.agree(MODERN)  # for the headers of HTTP
        asked = session.request_nowait("server/discover", {}, idle_s=self._left, total_s=self._left)
        session.agree("")
        return asked

    async def _stateless(self) -> Handshake:
        """Speak 2026-07-28 and nothing else."""
        found = await self._discover()
        self._raise_for(found, "server/discover")
        made = self._modern(found)
        if made is None:
            raise self._failure(f"it does not speak {MODERN}: {_said(found)}", "server/discover")
        return self._accept(made)

    async def _probe(self) -> Handshake:
        probe = self._discover()
        self._probed = True
        # Over HTTP, requests do not queue behind each other: a handshake would overtake a slow probe.
        limit_s = self._limit_s / 3 if self.session.over_http else PROBE_S
        await asyncio.wait([probe], timeout=min(limit_s, self._left))
        if not probe.done():
            return await self._shake_hands([LEGACY[-1]], probe)
        found = probe.result()
        if found.failure is Failure.LOST and not self.session.over_http:
            await self._restart(found)
            return await self._shake_hands([LEGACY[-1]])
        if self.session.over_http and found.failure is not None:
            self._raise_unless_older(found)
        if (made := self._modern(found)) is not None:
            return self._accept(made)
        return await self._shake_hands(legacy_in(versions_in(found))[:1] or [LEGACY[-1]])

    def _modern(self, found: Outcome) -> Handshake | None:
        """The handshake, if the answer is that of a server of 2026-07-28."""
        versions = versions_in(found)
        if found.result is not None:
            says = is_discovery(found.result)
        else:
            says = error_code(found) in MODERN_CODES
        if not says:
            return None
        if versions and not set(versions) & set(REVISIONS):
            words = f"it speaks {listed(shorten(one, 40) for one in versions)}, toolproof does not"
            raise self._failure(words, "server/discover")
        if MODERN in versions or not versions:
            return discovered(found, self.session.witness)
        return None  # it names older ones alone

    def _accept(self, made: Handshake) -> Handshake:
        self.session.agree(made.revision)
        return made

    # The handshake

    async def _shake_hands(self, offers: Iterable[str], probe: Waited | None = None) -> Handshake:
        """Offer revisions until one is agreed on.

        Args:
            probe: The request server/discover, if it was sent and has had no answer in time.
        """
        queue = list(offers)
        while queue:
            offer = queue.pop(0)
            hello = self._initialize(offer)
            late = await self._first_of(hello, probe)
            if late is not None:
                return self._accept(late)
            outcome = hello.result()
            if outcome.failure is Failure.LOST and self._probed and not self.session.over_http:
                await self._restart(outcome)  # too slow for the probe, and ended by it
                queue, probe = [offer], None
                continue
            if outcome.error is None:
                self._raise_for(outcome, "initialize")
                return await self._agreed(outcome, offer, probe)
            if probe is not None and (late := await self._late(probe)) is not None:
                return self._accept(late)
            probe = None
            self._refused.append(offer)
            versions = versions_in(outcome)
            if self._protocol == AUTO and MODERN in versions and not legacy_in(versions):
                return self._accept(discovered(outcome, self.session.witness))
            queue = self._next(outcome)
            if not queue:
                raise self._failure(f"initialize was refused: {_said(outcome)}", "initialize")
        raise AssertionError("an offer ends in a return, a raise, or another offer")

    def _initialize(self, offer: str) -> Waited:
        hello = {
            "protocolVersion": offer,
            "capabilities": self.session.answers.capabilities,
            "clientInfo": client_info(),
        }
        return self.session.request_nowait(
            "initialize", hello, idle_s=self._left, total_s=self._left, stamp={}
        )

    async def _first_of(self, hello: Waited, probe: Waited | None) -> Handshake | None:
        """Wait for initialize; a modern handshake if only the late probe is answered."""
        if probe is not None:
            await asyncio.wait([hello, probe], return_when=asyncio.FIRST_COMPLETED)
            if probe.done() and probe.result().result is not None:
                await asyncio.wait([hello], timeout=min(PROBE_S, self._left))
                if not hello.done() and (made := self._modern(probe.result())) is not None:
                    return made
        await asyncio.wait([hello])
        return None

    async def _agreed(self, outcome: Outcome, offer: str, probe: Waited | None) -> Handshake:
        late = probe.result() if probe is not None and probe.done() else Outcome()
        if late.result is not None and MODERN in versions_in(late):
            # Slow, and of both eras. The verdict must not depend on the load of the machine.
            if not self.session.over_http:
                await self._again()
                return await self._stateless()
            return self._accept(discovered(late, self.session.witness))
        session = self.session
        made = initialized(outcome, offer, session.witness)
        session.agree(made.revision)
        session.notify("notifications/initialized")
        if self._refused:
            session.witness.log.add(
                Kind.VERSION_REFUSED,
                f"initialize with {self._refused[0]} was refused with an error; "
                f"{made.revision} was agreed on",
                method="initialize",
                asked=self._refused[0],
                agreed=made.revision,
            )
        return made

    async def _late(self, probe: Waited) -> Handshake | None:
        """Ask again in the stateless way: the server may be modern, and too slow for the probe."""
        waiting = {probe, self._discover()}
        limit = min(_SECOND_PROBE_S, self._left)
        while waiting:
            done, waiting = await asyncio.wait(
                waiting, timeout=limit, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                return None
            for one in done:
                if (made := self._modern(one.result())) is not None:
                    return made
        return None

    def _next(self, refusal: Outcome) -> list[str]:
        named = [one for one in legacy_in(versions_in(refusal)) if one not in self._refused]
        if self._protocol in LEGACY:
            return []
        return named[:1] or [one for one in _FALLBACKS if one not in self._refused][:1]

    # Starting anew, and failing

    async def _restart(self, died: Outcome) -> None:
        """Start a second process, without a probe. If it lives, the probe was the cause."""
        ending = self.session.ending
        self._died_of_probe = ending.words if ending else died.detail
        await self._again()

    async def _again(self) -> None:
        await self.session.close(fast=True)
        self._probed = False
        self.session = await self._connect()
        self._asked_at = self.session.now()

    def _raise_for(self, outcome: Outcome, request: str) -> None:
        """Raise for an outcome that no other request could better."""
        session, log = self.session, self.session.witness.log
        if outcome.failure is None:
            return
        ending = session.ending
        if outcome.failure is Failure.LOST and ending is not None:
            first = session.first_answer_at is None
            log.add(
                Kind.START_CRASH if first else Kind.UNEXPECTED_EXIT,
                f"the server ended with {ending.words} before it answered {request}",
                method=request,
                exit=ending.words,
                last_line=ending.last_line,
                request=request,
            )
            raise self._error(f"it ended with {ending.words} before it answered {request}")
        if outcome.failure is Failure.TIMEOUT:
            words = f"no answer to {request} within {self._limit_s:g} s"
            log.add(Kind.START_TIMEOUT, words, method=request, seconds=self._limit_s)
            why = self.session.backing.hint()
            words += f"; {why}" if why else ""
            raise self._error(words, "Raise server.startup_timeout_s if it needs longer.")
        raise self._failure(outcome.detail, request)

    def _raise_unless_older(self, found: Outcome) -> None:
        """Over HTTP, the unknown request may be more than an older server can take."""
        if self.session.backing.refusal() is not None or self.session.lost is not None:
            self._raise_for(found, "server/discover")

    def _failure(self, words: str, request: str) -> ServerError:
        refusal = self.session.backing.refusal()
        if refusal is None:  # else it is told already
            self.session.witness.log.add(Kind.START_FAILED, words, method=request, request=request)
        return refusal or self._error(words)

    def _error(self, words: str, hint: str | None = None) -> ServerError:
        tail = self.session.transport.stderr_tail(_STDERR_LINES)
        return ServerError(with_stderr(words, tail), hint=hint)


def _said(outcome: Outcome) -> str:
    error = outcome.error or {}
    if not error:
        return shorten(outcome.detail or "the answer names no revision", 200)
    return f"error {error.get('code')}: {shorten(str(error.get('message', '')), 200)}"
