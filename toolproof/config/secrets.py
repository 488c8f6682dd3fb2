"""Which values of the section `server` are secret."""

import re
from collections.abc import Collection, Iterator, Mapping
from urllib.parse import unquote, urlsplit

from toolproof.config.server import ServerConfig
from toolproof.masking import Secrets

SECRET_NAME = re.compile(r"authorization|cookie|token|secret|key|password", re.IGNORECASE)
"""Names of variables and headers whose values are secret, even where the file spells them out."""


def secrets_of_server(
    server: ServerConfig, expanded: Mapping[str, str] | None = None, defaults: Collection[str] = ()
) -> Secrets:
    """What must be masked in every output.

    Args:
        server: As it is used, with everything expanded.
        expanded: The variables whose value stands somewhere in it; those that the server itself
            remembers if not given.
        defaults: Values that are nothing but the default of `${NAME:-default}`: no secrets.
    """
    return Secrets.of(
        secret_values(server, server.taken if expanded is None else expanded, defaults)
    )


def secret_values(
    server: ServerConfig, expanded: Mapping[str, str], defaults: Collection[str] = ()
) -> dict[str, str]:
    """The secret values, each under the name that a person knows it by."""
    return {
        **expanded,
        **dict(_written(server.env, "server.env", expanded, defaults)),
        **dict(_written(server.headers, "server.headers", expanded, defaults)),
        **dict(_of_url(server.url)),
        **dict(_of_auth(server)),
    }


def _written(
    values: Mapping[str, str], where: str, expanded: Mapping[str, str], defaults: Collection[str]
) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        holds_one = any(secret and secret in value for secret in expanded.values())
        if holds_one or (SECRET_NAME.search(name) and value not in defaults):
            yield f"{where}.{name}", value


def _of_url(url: str | None) -> Iterator[tuple[str, str]]:
    """The user part of a URL; a name without a password is a token."""
    user, at, _host = urlsplit(url or "").netloc.rpartition("@")
    if not at:
        return
    yield "server.url", user
    yield "server.url (decoded)", unquote(user)
    _name, colon, password = user.partition(":")
    if colon:
        yield "server.url (password)", unquote(password)


def _of_auth(server: ServerConfig) -> Iterator[tuple[str, str]]:
    if server.auth is not None and server.auth.client_credentials is not None:
        yield (
            "server.auth.client_credentials.client_secret",
            (server.auth.client_credentials.client_secret),
        )
