"""The token of `server.auth`: what a program prints, or OAuth's client credentials."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from toolproof.errors import ServerError
from toolproof.text import shorten

LIMIT_S = 30.0
"""For the program, and for the answer of the token endpoint."""


class Credentials(Protocol):
    """What is needed of the config's `client_credentials`."""

    @property
    def token_url(self) -> str: ...
    @property
    def client_id(self) -> str: ...
    @property
    def client_secret(self) -> str: ...
    @property
    def scope(self) -> str | None: ...


async def printed_token(command: Sequence[str], folder: Path) -> str:
    """The first line that a program prints.

    Args:
        command: The program and its arguments; no shell.
        folder: Where it starts.

    Raises:
        ServerError: It cannot be started, fails, prints nothing, or takes too long.
    """
    where = f"server.auth.token_command: {command[0]}"
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
    except OSError as exc:
        raise ServerError(f"it cannot be started: {exc.strerror or exc}", where=where) from exc
    try:
        async with asyncio.timeout(LIMIT_S):
            out, err = await process.communicate()
    except TimeoutError as exc:
        process.kill()
        await process.wait()
        raise ServerError(f"it printed no token within {LIMIT_S:g} s", where=where) from exc
    if process.returncode:
        last = err.decode(errors="replace").strip().rpartition("\n")[2]
        words = f"it ended with {process.returncode}: {shorten(last, 300) or 'nothing on stderr'}"
        raise ServerError(words, where=where)
    token = out.decode(errors="replace").strip().partition("\n")[0].strip()
    if not token:
        raise ServerError("it printed no token", where=where, hint="Print it as the first line.")
    return token


async def granted_token(credentials: Credentials) -> str:
    """An access token for an id and a secret (RFC 6749, section 4.4).

    Raises:
        ServerError: The endpoint cannot be reached, refuses, or answers something else.
    """
    import httpx2

    form = {"grant_type": "client_credentials"}
    if credentials.scope is not None:
        form["scope"] = credentials.scope
    where = f"server.auth.client_credentials: {credentials.token_url}"
    try:
        async with httpx2.AsyncClient(timeout=LIMIT_S, follow_redirects=False) as client:
            answer = await client.post(
                credentials.token_url,
                data=form,
                auth=(credentials.client_id, credentials.client_secret),
                headers={"Accept": "application/json"},
            )
    except httpx2.HTTPError as exc:
        raise ServerError(f"it cannot be reached: {exc}", where=where) from exc
    shown = shorten(" ".join(answer.text.split()), 200)
    if answer.status_code != 200:
        raise ServerError(
            f"it answered {answer.status_code}: {shown}",
            where=where,
            hint="Check client_id, client_secret and scope.",
        )
    try:
        found: Any = json.loads(answer.content)
    except ValueError as exc:
        raise ServerError(f"expected JSON, got {shown!r}", where=where) from exc
    token = found.get("access_token") if isinstance(found, dict) else None
    if not isinstance(token, str) or not token:
        raise ServerError(f"its answer has no access_token: {shown}", where=where)
    return token
