"""`server`: how to reach the server under test."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field, PrivateAttr

from toolproof.config.mistakes import Mistake
from toolproof.config.strict import Strict
from toolproof.config.value import Unfit, Value, choice, several
from toolproof.config.values import FILLED, WORDS, Filled, PathText, Seconds, Words

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
"""The revisions of MCP that a server can be held to."""

LONGEST_COMMAND = 100_000
"""Longer lines are no commands; no system starts a program with so much."""

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, section 5.6.2
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")  # RFC 9110, section 5.5


def split_command(line: str) -> list[str]:
    """The words of a command on one line, as a POSIX shell splits them.

    Raises:
        ValueError: A quotation does not end, or the line is over 100,000 characters long.
    """
    if len(line) > LONGEST_COMMAND:  # shlex takes quadratic time
        raise ValueError(f"it is over {LONGEST_COMMAND:,} characters long")
    return shlex.split(line)


def _command(given: Any) -> tuple[str, ...]:
    if isinstance(given, str):
        try:
            given = split_command(given)
        except ValueError as exc:
            raise Unfit(f"it cannot be split into words: {str(exc).lower()}", whole=True) from None
    if not isinstance(given, list | tuple):
        raise Unfit
    words: tuple[str, ...] = several(WORDS).read(given)
    if not words or not words[0]:
        raise Unfit("it names no program", whole=True)
    if nul := [index for index, word in enumerate(words) if "\0" in word]:
        raise Unfit(
            inside=[Mistake((index,), "a NUL character cannot be passed on") for index in nul]
        )
    return words


def _url(given: Any) -> str:
    url: str = FILLED.read(given).strip()
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as exc:
        raise Unfit(f"it is no URL: {str(exc).lower()}", whole=True) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        missing = "://" not in url and re.match(r"[\w.-]+(:\d+)?(/|$)", url)
        raise Unfit(f"write http://{url}" if missing else "")
    return url


def _source(given: Any) -> Any:
    if given is False:
        return False
    if isinstance(given, Mapping):
        mistakes = [
            Mistake((tool,), "expected 'path:line', the line from 1")
            for tool, place in given.items()
            if not isinstance(place, str) or not re.fullmatch(r".+:[1-9]\d{0,8}", place)
        ]
        if mistakes:
            raise Unfit(inside=mistakes)
        return {str(tool): str(place) for tool, place in given.items()}
    if isinstance(given, list | tuple | str):
        return tuple(Path(path) for path in several(FILLED).read(given))
    raise Unfit


Command = Annotated[
    tuple[str, ...],
    Value(
        "a program and its arguments, as a list or as one line",
        _command,
        {
            "anyOf": [
                {"type": "array", "items": {"type": ["string", "number"]}, "minItems": 1},
                {"type": "string", "minLength": 1},
            ]
        },
    ),
]
Url = Annotated[
    str,
    Value(
        "an address that begins with http:// or https://", _url, {"type": "string", "format": "uri"}
    ),
]
Source = Annotated[
    tuple[Path, ...] | dict[str, str] | bool,
    Value(
        "a list of paths, a mapping of tools to 'path:line', or false",
        _source,
        {
            "anyOf": [
                {"type": "array", "items": {"type": "string"}},
                {"type": "string"},
                {"type": "object", "additionalProperties": {"type": "string", "pattern": ":[1-9]"}},
                {"const": False},
            ]
        },
    ),
]


class ClientCredentials(Strict):
    """OAuth without a person: an id and a secret are given for a token.

    Attributes:
        token_url: Where the token is asked for.
        client_id: The id that the server's operator gave out.
        client_secret: The secret that goes with it.
        scope: What the token shall allow, words separated by blanks.
    """

    token_url: Url
    client_id: Filled
    client_secret: Filled = Field(repr=False)
    scope: Filled | None = None


class Auth(Strict):
    """How to get the token that goes into the header Authorization.

    Attributes:
        token_command: A program that prints the token.
        client_credentials: OAuth without a person.
    """

    token_command: Command | None = None
    client_credentials: ClientCredentials | None = None

    @classmethod
    def together(cls, given: Mapping[str, Any]) -> Iterator[Mistake]:
        if len(given) != 1:
            yield Mistake((), "set either 'token_command' or 'client_credentials'")


class ServerConfig(Strict):
    """How to reach the server: a command to start, talked to over stdio, or a URL.

    With both, the command serves the URL: it is started first and stopped at the end.
    In code, nothing is expanded: `${NAME}` is the file's.

    Attributes:
        command: The program and its arguments; a string is split as a POSIX shell does.
        url: The address of the server's MCP endpoint.
        env: Variables for the command, over the few that it inherits.
        headers: Sent with every request to the URL.
        cwd: Where the command starts, from the folder of the file.
        startup_timeout_s: From the start of the command to the end of the handshake, in seconds.
        protocol: One revision of MCP, or auto to take the newest that both sides speak.
        auth: How to get a token for the URL.
        source: Where annotations look for a tool's definition: paths, a line per tool, or false.
    """

    command: Command | None = None
    url: Url | None = None
    env: dict[str, Words] = Field(default_factory=dict, repr=False)
    headers: dict[str, Words] = Field(default_factory=dict, repr=False)
    cwd: PathText = Path()
    startup_timeout_s: Seconds = 30
    protocol: Annotated[str, choice("auto", *REVISIONS)] = "auto"
    auth: Auth | None = None
    source: Source | None = None

    _taken: Mapping[str, str] = PrivateAttr(default_factory=dict)
    _notes: tuple[str, ...] = PrivateAttr(default=())

    @property
    def taken(self) -> Mapping[str, str]:
        """The variables of the environment that were put in, where another program's file says so."""
        return self._taken

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out of another program's file, a sentence each."""
        return self._notes

    def remembering(self, taken: Mapping[str, str], notes: tuple[str, ...]) -> "ServerConfig":
        """The same, with where it comes from."""
        server = self.model_copy()
        object.__setattr__(server, "__pydantic_private__", {"_taken": taken, "_notes": notes})
        return server

    @property
    def target(self) -> str:
        """The command as one would type it, or the URL."""
        return shlex.join(self.command) if self.command else self.url or ""

    @classmethod
    def together(cls, given: Mapping[str, Any]) -> Iterator[Mistake]:
        if given.get("command") is None and given.get("url") is None:
            yield Mistake((), "it needs a 'command' to start, or the 'url' of one that runs")
        if given.get("url") is None:
            for key in ("headers", "auth"):
                if given.get(key):
                    yield Mistake((key,), "it goes with a 'url', and there is none")
        yield from _bad_names(given)


def _bad_names(given: Mapping[str, Any]) -> Iterator[Mistake]:
    env, headers = given.get("env"), given.get("headers")
    for name, value in env.items() if isinstance(env, Mapping) else ():
        if not name or "=" in str(name) or "\0" in f"{name}{value}":
            yield Mistake(("env", name), "no variable can have such a name or value")
    for name, value in headers.items() if isinstance(headers, Mapping) else ():
        if not _HEADER_NAME.fullmatch(str(name)):
            yield Mistake(("headers", name), "no header can have such a name")
        elif isinstance(value, str) and not _HEADER_VALUE.fullmatch(value):
            yield Mistake(("headers", name), "a header is one line of Latin characters")
