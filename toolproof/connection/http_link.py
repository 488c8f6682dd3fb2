"""One server over HTTP: its address, our headers, the session id; asks, and writes down that it did."""

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from toolproof.connection.http_address import Address, AddressError, needs_proxy, parse_address
from toolproof.connection.http_client import Answer, HttpClient, LibraryClient, read_start
from toolproof.connection.http_faults import HttpFault
from toolproof.connection.http_raw import RawClient
from toolproof.connection.http_status import EVENTS, JSON, Asked
from toolproof.connection.messages import decode_oddly
from toolproof.connection.recorder import Tape
from toolproof.errors import ServerError

SESSION, VERSION = "Mcp-Session-Id", "MCP-Protocol-Version"
INITIALIZED = "notifications/initialized"
MASKED = frozenset(
    {"authorization", "cookie", "mcp-session-id", "proxy-authorization", "set-cookie"}
)
"""Headers whose values no record ever shows."""
_OURS = frozenset(
    {
        "accept",
        "connection",
        "content-length",
        "content-type",
        "mcp-session-id",
        "te",
        "transfer-encoding",
    }
)
_METADATA_S = 3.0
_METADATA_BYTES = 64 << 10
_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_NOT_IN_VALUES = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class HttpLink:
    """What all exchanges of one connection share.

    Args:
        headers: The configured ones.
        auth: An `httpx2.Auth` that signs in, or None.

    Attributes:
        address: Where messages go; see `move`.
        session: The id that the server gave at `initialize`.
        version: The value of `MCP-Protocol-Version` that GET and DELETE repeat.
        answered: Has there been any answer yet?
        refusal: Why the server could not be opened, for whoever ends the start.
        credentials: Do our messages carry anything that another origin must not see?

    Raises:
        ServerError: The address or a header cannot be used.
    """

    def __init__(self, url: str, headers: Mapping[str, str], tape: Tape, *, auth: Any) -> None:
        try:
            self.address = parse_address(url)
        except AddressError as exc:
            hint = "Give the whole address, as in http://localhost:8000/mcp."
            raise ServerError(str(exc), where=url, hint=hint) from None
        self.session: str | None = None
        self.version: str | None = None
        self.answered = False
        self.refusal: ServerError | None = None
        self._tape = tape
        self._given = _usable(headers, self.address)
        self._names = {name.lower() for name in self._given}
        self._auth = auth
        self._client = client_for(self.address, auth)
        self._clients = [self._client]

    def move(self, address: Address) -> None:
        """Send everything to another address from now on: a redirect was followed."""
        if address.scheme != self.address.scheme:
            self._client = client_for(address, self._auth)
            self._clients.append(self._client)
        self.address = address

    @property
    def credentials(self) -> bool:
        return bool(self._given or self._auth or self.address.basic or self.session)

    def asked(self, method: str, metadata: str = "") -> Asked:
        """What a verdict needs to know of a message."""
        signed = "authorization" in self._names or self._auth is not None
        host = self._given.get("Host", self.address.host_header)
        return Asked(method, host, signed or self.address.basic is not None, metadata)

    async def find_metadata(self) -> str:
        """The well-known address that tells how to sign in; "" if none does."""
        with suppress(HttpFault, TimeoutError):
            async with asyncio.timeout(_METADATA_S):
                for place in self.address.metadata_places:
                    headers = [("Host", place.host_header), ("Accept", JSON)]
                    answer = await self._client.ask("GET", place, headers, b"")
                    try:
                        body = await read_start(answer, _METADATA_BYTES)
                    finally:
                        await answer.close()
                    found = decode_oddly(body.decode(errors="replace"))
                    if answer.status == 200 and isinstance(found, dict) and "resource" in found:
                        return place.url
        return ""

    async def post(self, body: bytes, headers: Mapping[str, str], session: str | None) -> Answer:
        """Send one message.

        Raises:
            HttpFault: No answer came.
        """
        extra = {
            "Content-Type": JSON,
            "Accept": f"{JSON}, {EVENTS}",
            **headers,
        }
        if session is not None:
            extra[SESSION] = session
        return await self.ask("POST", extra, body)

    async def get(self, *, last_id: str = "", in_session: bool = True) -> Answer:
        """Open an event stream. Its connection is not used for anything else afterwards.

        Raises:
            HttpFault: No answer came.
        """
        extra = {"Accept": EVENTS, "Connection": "close"}
        if last_id:
            extra["Last-Event-ID"] = last_id
        return await self.ask("GET", extra | (self._of_session() if in_session else {}))

    async def delete(self) -> None:
        """End the session, whatever the server makes of it.

        Raises:
            HttpFault: No answer came.
        """
        extra = {"Connection": "close", **self._of_session()}
        answer = await self.ask("DELETE", extra)
        await answer.close()

    async def ask(self, method: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """One exchange, up to the head of its answer.

        Raises:
            HttpFault: No answer came.
        """
        address = self.address
        sent = {
            "Host": address.host_header,
            "User-Agent": "toolproof",
            "Accept-Encoding": "identity",
            **self._given,
        }
        if address.basic is not None and "authorization" not in self._names:
            sent["Authorization"] = address.basic
        sent.update(headers)
        answer = await self._client.ask(method, address, list(sent.items()), body)
        self.answered = True
        if self._tape.writes:
            self._tape.event(
                "http",
                method=method,
                url=address.url,
                status=answer.status,
                sent=_masked(sent),
                headers=_masked(answer.headers),
            )
        return answer

    async def close(self) -> None:
        for client in self._clients:
            await client.close()

    def _of_session(self) -> dict[str, str]:
        pairs = ((SESSION, self.session), (VERSION, self.version))
        return {name: value for name, value in pairs if value is not None}


def client_for(address: Address, auth: Any = None, *, limit_s: float | None = None) -> HttpClient:
    """What can carry messages there. `limit_s` is kept by `LibraryClient` alone."""
    if address.scheme == "http" and auth is None and not needs_proxy(address):
        return RawClient()
    return LibraryClient(address, auth=auth, limit_s=limit_s)


def _masked(headers: Mapping[str, str]) -> dict[str, str]:
    return {n: "***" if n.lower() in MASKED else value for n, value in headers.items()}


def _usable(headers: Mapping[str, str], address: Address) -> dict[str, str]:
    """The configured headers, without those that the transport sets itself."""
    usable: dict[str, str] = {}
    for name, value in headers.items():
        if not _NAME.fullmatch(name) or _NOT_IN_VALUES.search(value):
            what = "its value holds a line break or a control character"
            what = what if _NAME.fullmatch(name) else "this is no name for a header"
            raise ServerError(
                f"the header {name!r} cannot be sent: {what}",
                where=address.url,
                hint="Write a header as 'Name: value'.",
            )
        if name.lower() not in _OURS:
            usable["Host" if name.lower() == "host" else name] = value.strip()
    return usable
