"""One HTTP exchange after the other over httpx2: TLS, proxies, sign-in; and what every client gives.

`http_raw.py` does the same for plain http, faster.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from toolproof.connection.http_address import Address, needs_proxy
from toolproof.connection.http_faults import HttpFault, closed, fault_from, reset

CONNECT_S = 10.0
"""For a connection, for sending, and for a place in the pool; reading has the session's limits."""
IDLE_S = 1.5
"""So long an idle connection is kept: less than the servers' own limits, which begin at 2 s."""
MAX_BODY = 64 << 20
"""Bytes of one body (`wire.md`, section 8)."""

_START_S = 2.0
"""So long the beginning of a body that is no message is waited for."""

Headers = Sequence[tuple[str, str]]


class Answer(Protocol):
    """An answer whose head has come. `close` it, however it went.

    Attributes:
        status: From 200 to 599, or whatever the server made of it.
        headers: By lower-case name; repeated ones are joined by a comma.
    """

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    async def chunk(self) -> bytes:
        """The next bytes of the body, decompressed; empty at its end.

        Raises:
            HttpFault: The connection broke.
        """

    async def close(self) -> None:
        """Let the connection go: back to the idle ones if the body was read to its end."""


class HttpClient(Protocol):
    """Carries one exchange each time, many at once, all to one server."""

    async def ask(self, method: str, address: Address, headers: Headers, body: bytes) -> Answer:
        """Send a request and wait for the head of its answer.

        Raises:
            HttpFault: No answer came.
        """

    async def close(self) -> None:
        """Close every connection."""


async def read_body(answer: Answer, limit: int = MAX_BODY, *, first: bytes = b"") -> bytes:
    """The whole body.

    Args:
        answer: Its head has come; nobody else reads it.
        limit: In bytes.
        first: What was read of it before.

    Raises:
        HttpFault: It has more than `limit` bytes, or breaks off.
    """
    parts, size = [first], len(first)
    while chunk := await answer.chunk():
        parts.append(chunk)
        size += len(chunk)
        if size > limit:
            raise HttpFault(f"the body of the answer has more than {limit:,} bytes")
    return b"".join(parts)


async def read_start(answer: Answer, limit: int) -> bytes:
    """The first bytes of a body, as many as come in time and are within the limit."""
    parts, size = [b""], 0
    with suppress(HttpFault, TimeoutError):
        async with asyncio.timeout(_START_S):
            while size < limit and (chunk := await answer.chunk()):
                parts.append(chunk)
                size += len(chunk)
    return b"".join(parts)[:limit]


class _LibraryAnswer:
    """An answer that httpx2 reads."""

    def __init__(self, response: Any, address: Address) -> None:
        self.status: int = response.status_code
        self.headers = {name: response.headers[name] for name in response.headers}
        self._response = response
        self._address = address
        self._body: AsyncGenerator[bytes] = response.aiter_bytes()

    async def chunk(self) -> bytes:
        with translated(self._address):
            async for chunk in self._body:
                if chunk:
                    return chunk
        return b""

    async def close(self) -> None:
        with suppress(HttpFault), translated(self._address):
            await self._body.aclose()
            await self._response.aclose()


class LibraryClient:
    """httpx2, told to keep its hands off: no redirects, no limit on reading, HTTP/1.1.

    Args:
        address: Decides whether a proxy of the environment is used.
        auth: An `httpx2.Auth`.
        limit_s: For each wait, reading too; none for that if not given. A cancelled handshake
            would leave its socket to the garbage collector, this does not.
    """

    def __init__(self, address: Address, *, auth: Any = None, limit_s: float | None = None) -> None:
        import httpx2  # costs 0.15 s, and many a server needs it not

        self._auth = auth
        self._client = httpx2.AsyncClient(
            auth=auth,
            timeout=httpx2.Timeout(limit_s or CONNECT_S, read=limit_s),
            limits=httpx2.Limits(
                max_connections=None, max_keepalive_connections=None, keepalive_expiry=IDLE_S
            ),
            follow_redirects=False,
            trust_env=needs_proxy(address),
            verify=httpx2.create_ssl_context(),  # with the environment's SSL_CERT_FILE
        )

    async def ask(self, method: str, address: Address, headers: Headers, body: bytes) -> Answer:
        pairs = [(name.encode("latin-1"), header_bytes(value)) for name, value in headers]
        with translated(address):
            request = self._client.build_request(
                method, address.url, headers=pairs, content=body or None
            )
            response = await self._send(request)
        return _LibraryAnswer(response, address)

    async def _send(self, request: Any) -> Any:
        if self._auth is None:
            return await self._client.send(request, stream=True)
        import httpx2

        try:
            return await self._client.send(request, stream=True)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError):
            raise
        except Exception as exc:  # an Auth object may raise whatever its author liked
            raise HttpFault(f"signing in failed: {exc}") from exc

    async def close(self) -> None:
        await self._client.aclose()


def header_bytes(value: str) -> bytes:
    """A header's value as bytes: as it came where it is Latin-1, else UTF-8."""
    try:
        return value.encode("latin-1")
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace")


@contextmanager
def translated(address: Address) -> Iterator[None]:
    """httpx2's exceptions as a fault in our words."""
    import httpx2

    try:
        yield
    except httpx2.ConnectTimeout as exc:
        words = f"no connection to {address.host}:{address.port} within {CONNECT_S:g} s"
        raise HttpFault(words, reached=False) from exc
    except httpx2.WriteTimeout as exc:
        raise HttpFault(f"the server did not read the request within {CONNECT_S:g} s") from exc
    except httpx2.RemoteProtocolError as exc:
        raise _protocol_fault(str(exc)) from exc
    except httpx2.DecodingError as exc:
        raise HttpFault(f"the body cannot be decompressed: {exc}") from exc
    except httpx2.ReadError as exc:
        raise reset() from exc
    except httpx2.ReadTimeout as exc:
        raise HttpFault("the server did not answer in time") from exc
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as exc:
        raise fault_from(exc, address) from exc


def _protocol_fault(said: str) -> HttpFault:
    if "without sending a response" in said:
        return closed(started=False)
    if "incomplete" in said or "complete message body" in said:
        return closed(started=True)
    return HttpFault(f"the answer is not HTTP/1.1: {said}")
