"""What the first answers of a server say: the revision, who it is, what it can do."""

from dataclasses import field
from typing import Any

from toolproof.connection.messages import repeated_members
from toolproof.connection.observations import Kind
from toolproof.connection.stamps import SERVER_INFO
from toolproof.connection.stateless import tell_modern_members
from toolproof.connection.wire import LEGACY, MODERN, JsonObject, Outcome
from toolproof.connection.witness import Witness
from toolproof.records import record
from toolproof.text import listed, shorten

_LARGEST_LOOKED_AT = 4 << 20  # bytes of a message in which doubled members are looked for
MODERN_CODES = (-32020, -32021, -32022)
"""Errors that only a server of the stateless revision sends."""


@record(kw_only=True)
class Handshake:
    """What was agreed on, and what the server said of itself.

    Attributes:
        revision: The one that is spoken.
        offered: The one that we asked for in `initialize`.
        declares: Whether it said at all what it can do, as an object.
        start_ms: From the start of the process, or the first request, to the agreement.
    """

    revision: str
    offered: str = ""
    name: str | None = None
    version: str | None = None
    capabilities: JsonObject = field(default_factory=dict)
    declares: bool = True
    instructions: str | None = None
    start_ms: float = 0.0


def versions_in(outcome: Outcome) -> list[str]:
    """The revisions that a discovery, or the data of an error, names; none if there are none."""
    data = outcome.result if outcome.result is not None else (outcome.error or {}).get("data")
    if not isinstance(data, dict):
        return []
    found = data.get("supportedVersions", data.get("supported"))
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def legacy_in(versions: list[str]) -> list[str]:
    """Those that open with `initialize` and that we speak, newest first."""
    return [one for one in reversed(LEGACY) if one in versions]


def is_discovery(result: JsonObject) -> bool:
    """Is it meant as the answer to server/discover?

    Some older servers answer any method with an empty result.
    """
    return any(name in result for name in ("supportedVersions", "capabilities", "resultType"))


def error_code(outcome: Outcome) -> int | None:
    return None if outcome.error is None else outcome.error.get("code")


def discovered(outcome: Outcome, witness: Witness) -> Handshake:
    """Read the answer to server/discover; tell what it lacks."""
    result = outcome.result or {}
    request = "server/discover"
    if outcome.result is None:
        said = shorten(str((outcome.error or {}).get("message", "an error")), 120)
        _lacks(witness, request, "supportedVersions", f"is answered with an error: {said}")
    else:
        tell_modern_members(witness, request, result)
        tell_repeated_members(witness, request, outcome.raw)
        versions = result.get("supportedVersions")
        if not isinstance(versions, list) or not all(isinstance(one, str) for one in versions):
            _lacks(
                witness, request, "supportedVersions", "lacks supportedVersions, a list of strings"
            )
        if not isinstance(result.get("capabilities"), dict):
            _lacks(witness, request, "capabilities", "lacks capabilities, an object")
    meta = result.get("_meta")
    said_of_itself = meta.get(SERVER_INFO) if isinstance(meta, dict) else None
    return _made(result, MODERN, "", said_of_itself)


def initialized(outcome: Outcome, offered: str, witness: Witness) -> Handshake:
    """Read the answer to initialize; tell what it lacks."""
    request, result = "initialize", outcome.result or {}
    tell_repeated_members(witness, request, outcome.raw)
    answered = result.get("protocolVersion")
    revision = offered
    if not isinstance(answered, str):
        _lacks(witness, request, "protocolVersion", "lacks protocolVersion, a string")
    elif answered in LEGACY:
        revision = answered
    else:
        shown = shorten(answered, 60)
        witness.log.add(
            Kind.VERSION_UNKNOWN,
            f'asked for {offered}, it agreed on "{shown}", which initialize does not know',
            method=request,
            asked=offered,
            answered=shown,
        )
    if not isinstance(result.get("capabilities"), dict):
        _lacks(witness, request, "capabilities", "lacks capabilities, an object")
    info = result.get("serverInfo")
    if not isinstance(info, dict):
        _lacks(witness, request, "serverInfo", "lacks serverInfo, an object")
    else:
        for member in ("name", "version"):
            if not isinstance(info.get(member), str):
                _lacks(
                    witness, request, f"serverInfo.{member}", f"lacks serverInfo.{member}, a string"
                )
    return _made(result, revision, offered, info)


def _made(result: JsonObject, revision: str, offered: str, info: Any) -> Handshake:
    info = info if isinstance(info, dict) else {}
    capabilities = result.get("capabilities")
    return Handshake(
        revision=revision,
        offered=offered,
        name=_string(info.get("name")),
        version=_string(info.get("version")),
        capabilities=capabilities if isinstance(capabilities, dict) else {},
        declares=isinstance(capabilities, dict),
        instructions=_string(result.get("instructions")),
    )


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def tell_repeated_members(witness: Witness, method: str, raw: bytes) -> None:
    """Observe members that an object of a message names twice: parsers keep one or the other."""
    if len(raw) <= _LARGEST_LOOKED_AT and (names := repeated_members(raw)):
        witness.log.add(
            Kind.DUPLICATE_KEYS,
            f"in the answer to {method}, an object names a member twice: "
            f"{listed(shorten(name, 60) for name in names)}",
            method=method,
            request=method,
        )


def _lacks(witness: Witness, request: str, member: str, words: str) -> None:
    witness.log.add(
        Kind.HANDSHAKE_INVALID,
        f"the result of {request} {words}",
        method=request,
        member=member,
        request=request,
    )
