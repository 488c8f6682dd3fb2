"""Wait until a URL is served, as after the start of whatever serves it."""

import asyncio
from contextlib import suppress

from toolproof.connection.http_address import Address, AddressError, needs_proxy, parse_address
from toolproof.connection.http_client import HttpClient
from toolproof.connection.http_faults import HttpFault, fault_from
from toolproof.connection.http_link import client_for
from toolproof.connection.http_status import Answered
from toolproof.errors import ServerError

_PAUSE_S = 0.1
_ATTEMPT_S = 2.0
_SERVER_ERRORS = 500


async def wait_for_url(url: str, timeout_s: float) -> None:
    """Return once it answers with any status under 500, or takes a connection and is silent.

    Args:
        url: http or https.
        timeout_s: The most that this takes.

    Raises:
        ServerError: It does not in time, or this is no address.
    """
    try:
        address = parse_address(url)
    except AddressError as exc:
        raise ServerError(str(exc), where=url) from None
    client = client_for(address, limit_s=_ATTEMPT_S)
    why_not = "nothing answers"
    try:
        async with asyncio.timeout(timeout_s):
            while True:
                why_not = await _why_not(client, address)
                if not why_not:
                    return
                await asyncio.sleep(_PAUSE_S)
    except TimeoutError:
        raise ServerError(
            f"it was not ready within {timeout_s:g} s: {why_not}",
            where=url,
            hint="Look at the server's log, or wait longer.",
        ) from None
    finally:
        await client.close()


async def _why_not(client: HttpClient, address: Address) -> str:
    """Why it is not ready; empty if it is."""
    if not needs_proxy(address):
        try:
            async with asyncio.timeout(_ATTEMPT_S):
                _, writer = await asyncio.open_connection(address.host, address.port)
        except TimeoutError:
            return "nothing takes a connection"
        except OSError as exc:
            return fault_from(exc, address).words
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    headers = [("Host", address.host_header), ("Accept", "*/*"), ("Connection", "close")]
    try:
        async with asyncio.timeout(_ATTEMPT_S + 1):
            answer = await client.ask("GET", address, headers, b"")
    except TimeoutError:
        return ""
    except HttpFault as fault:  # a gateway takes connections before there is anything behind it
        return fault.words if fault.broken or not fault.reached else ""
    await answer.close()
    got = Answered(answer.status, answer.headers)
    return f"it answers with {got.words}" if got.status >= _SERVER_ERRORS else ""
