"""What an HTTP answer without a usable message means: sign-in, host, session, path, or no MCP at all.

Pure functions of status, headers and the first bytes; `http.py` asks and acts. The table is that
of `protocol.md`, section 9.
"""

import re
from collections.abc import Mapping
from dataclasses import field
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from toolproof.connection.observations import Kind
from toolproof.connection.wire import Failure
from toolproof.errors import ServerError
from toolproof.records import record
from toolproof.text import shorten

JSON, EVENTS = "application/json", "text/event-stream"
REDIRECTS = frozenset({301, 302, 303, 307, 308})
ON_THE_WAY = frozenset({408, 429, 502, 503, 504})
"""Not the server's own answer; asked once more, if that is soon."""
LONGEST_WAIT_S = 10.0
KEPT_BODY = 2048
"""So many bytes of a body that is no message are kept."""

OPENING = frozenset({"server/discover", "initialize"})
_SHOWN = 120  # characters of such a body in a message
_TOKEN_HINT = "Pass a token with --header 'Authorization: Bearer ${TOKEN}'."  # noqa: S105
_HOST = re.compile(rb"(?i)\bhost(?:s|name)?\b|rebinding")
# Name and value of each parameter of a challenge. A name begins where none is under way, and the
# possessive `+` gives nothing back: linear in any text.
_PARAMETER = re.compile(
    r'(?<![\w-])([\w-]++)\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s,"]++))', re.ASCII
)


@record
class Answered:
    """The head of an answer, and how its body begins.

    Attributes:
        headers: By lower-case name.
        start: At most `KEPT_BODY` bytes.
    """

    status: int
    headers: Mapping[str, str]
    start: bytes = b""

    @property
    def type(self) -> str:
        return media_type(self.headers)

    @property
    def words(self) -> str:
        """The status with its name: "404 (Not Found)"."""
        try:
            return f"{self.status} ({HTTPStatus(self.status).phrase})"
        except ValueError:
            return str(self.status)

    @property
    def shown(self) -> str:
        """The first bytes as one line of text."""
        return shorten(" ".join(self.start.decode(errors="replace").split()), _SHOWN)

    @property
    def with_body(self) -> str:
        """The status, the type where it is not JSON, and how the body begins."""
        parts = [self.words]
        if self.start.strip() and self.type != JSON:
            parts.append(f"type {self.type!r}" if self.type else "without a content type")
        return ", ".join(parts) + (f": {self.shown}" if self.shown else "")

    @property
    def facts(self) -> dict[str, Any]:
        """What the report may show of it."""
        text = self.start.decode(errors="replace")
        return {"status": self.status, "type": self.type, "body": text}


@record
class Asked:
    """What the answer is an answer to.

    Attributes:
        method: Of the message.
        host: The header `Host` that was sent.
        credentials: Was there an `Authorization` header?
        metadata: What was found at a well-known address about how to sign in.
    """

    method: str
    host: str
    credentials: bool = False
    metadata: str = ""


@record
class Refusal:
    """Why there is no message, for the call, for the observations, and for the start.

    Attributes:
        words: Lower case, with the status in it.
        kind: What to note; None if it is nobody's fault.
        stops: Nothing more can be learned by asking in another era.
        overrides: It counts even where the body is a message.
    """

    words: str
    failure: Failure = Failure.MALFORMED
    kind: Kind | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    hint: str = "Look at the server's log."
    stops: bool = True
    overrides: bool = False

    def error(self, where: str) -> ServerError:
        return ServerError(self.words, where=where, hint=self.hint)


def media_type(headers: Mapping[str, str]) -> str:
    """The content type without its parameters, lower case; "" for none."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def challenge(headers: Mapping[str, str]) -> dict[str, str]:
    """The parameters of `WWW-Authenticate`, by lower-case name (RFC 9110, 11.6.1)."""
    found: dict[str, str] = {}
    for name, quoted, plain in _PARAMETER.findall(headers.get("www-authenticate", "")):
        found.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted) if quoted else plain)
    return found


def metadata_in(headers: Mapping[str, str]) -> str:
    """Where a challenge says that the metadata is; "" if it gives no address."""
    given = challenge(headers).get("resource_metadata", "")
    try:
        parts = urlsplit(given)
    except ValueError:
        return ""
    return given if parts.scheme in {"http", "https"} and parts.netloc else ""


def retry_after_s(headers: Mapping[str, str], now: float) -> float:
    """How long the server asks to wait, in seconds; 1 where it does not say.

    Args:
        headers: Of the answer: `Retry-After` holds seconds or a date (RFC 9110, 10.2.3).
        now: Seconds since 1970.
    """
    given = headers.get("retry-after", "").strip()
    if given.isascii() and given.isdigit():
        return float(given[:9])
    from email.utils import parsedate_to_datetime  # slow, and rarely needed

    try:
        return max(0.0, parsedate_to_datetime(given).timestamp() - now)
    except (ValueError, TypeError, OverflowError, IndexError):
        return 1.0


def is_event_stream(start: bytes) -> bool:
    """Does a body of another type begin like an event stream?"""
    return start.startswith((b"data:", b"event:", b"id:", b"retry:", b":"))


def refusal(got: Answered, asked: Asked) -> Refusal:
    """What an answer that is no success means, once its body is known to be no message."""
    match got.status:
        case 401:
            return _sign_in(got, asked)
        case 421:
            return _host(got, asked)
        case 403:
            return _forbidden(got, asked)
        case status if status in ON_THE_WAY:
            return Refusal(
                f"no answer of the server itself: HTTP {got.with_body}",
                Failure.LOST,
                Kind.HTTP_STATUS,
                got.facts,
                hint="Try again later, or look at what stands between here and the server.",
            )
    return _status(got, asked)


def wrong_type(got: Answered, asked: Asked) -> Refusal:
    """An answer whose type is neither JSON nor an event stream."""
    how = f"with the type {got.type!r}" if got.type else "without a content type"
    body = f": {got.shown}" if got.shown else " and without a body"
    return Refusal(
        f"{asked.method} was answered {how} (status {got.status}){body}",
        kind=Kind.HTTP_CONTENT_TYPE,
        facts=got.facts,
        hint="Correct the URL: this is no MCP endpoint." if is_page(got) else _TYPE_HINT,
        stops=bool(got.start.strip()) or asked.method != "server/discover",
    )


_TYPE_HINT = f"Answer with the type {JSON} or {EVENTS}."


def is_page(got: Answered) -> bool:
    return "html" in got.type or got.start.lstrip()[:1] == b"<"


def not_followed(status: int, target: str, why_not: str) -> Refusal:
    """A redirect that a client must not follow. It is told by itself, so there is no kind here."""
    return Refusal(
        f"the endpoint redirects ({status}) to {target}, which is not followed: {why_not}",
        hint=f"If that is the server, use its address: {target}",
    )


def legacy_sse(got: Answered) -> Refusal:
    """The transport of 2024-11-05."""
    return Refusal(
        f"the server speaks legacy HTTP+SSE, the transport of 2024-11-05: POST is answered with "
        f"HTTP {got.words}, and GET opens a stream with an 'endpoint' event",
        kind=Kind.HTTP_LEGACY_SSE,
        facts={"status": got.status},
        hint="Offer Streamable HTTP; toolproof and current clients speak nothing else over HTTP.",
        overrides=True,
    )


def _sign_in(got: Answered, asked: Asked) -> Refusal:
    header = got.headers.get("www-authenticate", "").strip()
    metadata = metadata_in(got.headers)
    where = ""
    if not metadata and asked.metadata:  # enough from 2025-11-25 on
        metadata, where = (
            asked.metadata,
            ", a well-known address: WWW-Authenticate does not name it",
        )
    what = "the credentials are refused" if asked.credentials else "authentication is required"
    if metadata:
        return Refusal(
            f"{what} (401); metadata: {metadata}{where}",
            kind=Kind.HTTP_AUTH_REQUIRED,
            facts={"metadata": metadata},
            hint=_TOKEN_HINT,
            overrides=True,
        )
    lack = (
        f"its WWW-Authenticate names no resource_metadata: {shorten(header)!r}"
        if header
        else "there is no WWW-Authenticate header"
    )
    return Refusal(
        f"{what} (401), and clients cannot begin to sign in: {lack}",
        kind=Kind.HTTP_AUTH_CHALLENGE,
        facts={"header": header},
        hint=_TOKEN_HINT,
        overrides=True,
    )


def _forbidden(got: Answered, asked: Asked) -> Refusal:
    given = challenge(got.headers)
    if given.get("error") == "insufficient_scope":
        scope = given.get("scope", "")
        lacks = f"lacks the scope {scope!r}" if scope else "lacks a scope"
        return Refusal(
            f"the token {lacks} (403, insufficient_scope)",
            kind=Kind.HTTP_STATUS,
            facts=got.facts | {"scope": scope},
            hint="Pass a token that has this scope.",
            overrides=True,
        )
    if _HOST.search(got.start) or asked.host.encode() in got.start:
        return _host(got, asked)
    words = f"{asked.method} is refused: HTTP {got.with_body}"
    if b"origin" in got.start.lower():
        words = f"the server refuses the origin, though none was sent: HTTP {got.with_body}"
    hint = "Allow requests without an Origin." if b"origin" in got.start.lower() else _TOKEN_HINT
    opening = asked.method in OPENING
    return Refusal(words, kind=_kind_of(got), facts=got.facts, hint=hint, overrides=opening)


def _host(got: Answered, asked: Asked) -> Refusal:
    body = f": {got.shown}" if got.shown else ""
    return Refusal(
        f"the server does not accept the host {asked.host!r} (status {got.status}){body}; "
        "it must allow this host",
        kind=Kind.HTTP_HOST_REFUSED,
        facts={"status": got.status, "host": asked.host},
        hint=f"Add {asked.host!r} to the hosts that the server allows.",
        overrides=True,
    )


def _status(got: Answered, asked: Asked) -> Refusal:
    """Any other status. A probe that an older server refuses is no fault of that server."""
    is_probe = asked.method == "server/discover"
    hint = "Look at the server's log."
    if got.status in {404, 405}:
        hint = "Correct the path of the URL: most servers are at /mcp."
    return Refusal(
        f"{asked.method} was answered with HTTP {got.with_body}",
        kind=None if is_probe else _kind_of(got),
        facts=got.facts,
        hint=hint,
        stops=not is_probe,
    )


def _kind_of(got: Answered) -> Kind:
    """A body of another type is a fault by itself; an empty one, or JSON, is only a status."""
    other = got.start.strip() and got.type not in {JSON, EVENTS}
    return Kind.HTTP_CONTENT_TYPE if other else Kind.HTTP_STATUS
