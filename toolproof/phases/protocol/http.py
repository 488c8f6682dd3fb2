"""Probes over HTTP: a foreign origin, a session that nobody opened."""

import json
from typing import Any

from toolproof.connection.http import HttpTransport
from toolproof.connection.observations import Kind
from toolproof.connection.stamps import request_headers
from toolproof.connection.wire import MODERN
from toolproof.phases.phase import PhaseContext

FOREIGN = "https://toolproof.invalid"
"""An origin that no server serves: the top-level domain is reserved (RFC 2606)."""
UNKNOWN_SESSION = "00000000-toolproof-no-such-session"


def transport_of(context: PhaseContext) -> HttpTransport | None:
    """The transport, where it is HTTP."""
    transport = context.server.session.transport
    return transport if isinstance(transport, HttpTransport) else None


def _request(context: PhaseContext) -> tuple[dict[str, str], bytes]:
    """Headers and body of a harmless request: the list of tools."""
    session = context.server.session
    params: dict[str, Any] = {}
    if session.revision == MODERN:
        params["_meta"] = session.modern_stamp()
    message = {"jsonrpc": "2.0", "id": 900_000_001, "method": "tools/list", "params": params}
    headers = dict(request_headers(session.revision, "tools/list", params, session.marked))
    return headers, json.dumps(message).encode()


async def foreign_origin(context: PhaseContext) -> str | None:
    """A page of another site may not call: 403 is due."""
    transport = transport_of(context)
    if transport is None:
        return "over stdio there is no Origin"
    headers, body = _request(context)
    answer = await transport.post_raw({**headers, "Origin": FOREIGN}, body)
    if answer.status is not None and answer.status < 400:
        context.log.add(
            Kind.PROBE_ORIGIN,
            f"a request with the Origin {FOREIGN} is served",
            origin=FOREIGN,
            status=answer.status,
        )
    return None


async def unknown_session(context: PhaseContext) -> str | None:
    """A session that is over, or was never there, is answered with 404."""
    transport = transport_of(context)
    if transport is None:
        return "over stdio there are no sessions"
    if transport.session_id is None:
        return "the server gave no session id"
    headers, body = _request(context)
    answer = await transport.post_raw({**headers, "Mcp-Session-Id": UNKNOWN_SESSION}, body)
    if answer.status not in (404, None):
        context.log.add(
            Kind.PROBE_SESSION_STATUS,
            f"an unknown session id is answered with {answer.status}",
            status=answer.status,
        )
    return None
