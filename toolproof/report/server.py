"""A server, and what it lists: as it described itself, before anything tidied it."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from toolproof.records import record


@record
class Listed:
    """One entry of a list.

    Attributes:
        raw: The entry as it came over the wire, of whatever type.
        index: Its place in the whole list, over all pages, from 0.
    """

    raw: Any
    index: int = 0

    def _string(self, member: str) -> str:
        value = self.raw.get(member) if isinstance(self.raw, dict) else None
        return value if isinstance(value, str) else ""

    @property
    def name(self) -> str:
        """The name; empty if there is none, or one that nobody could call."""
        name = self._string("name")
        return name if name.strip() else ""

    @property
    def label(self) -> str:
        """The name, or `<index N>` for an entry without a usable one."""
        return self.name or f"<index {self.index}>"

    @property
    def description(self) -> str:
        """The description; empty if there is none that is a string."""
        return self._string("description")


@record
class Tool(Listed):
    """One entry of `tools/list`."""

    def _object(self, member: str) -> dict[str, Any]:
        value = self.raw.get(member) if isinstance(self.raw, dict) else None
        return value if isinstance(value, dict) else {}

    @property
    def input_schema(self) -> dict[str, Any]:
        """`inputSchema`; an empty object where it is missing or of a wrong type."""
        return self._object("inputSchema")

    @property
    def output_schema(self) -> dict[str, Any] | None:
        """`outputSchema`, where the tool declares one that is an object."""
        return self._object("outputSchema") or None

    @property
    def annotations(self) -> dict[str, Any]:
        """`annotations`; an empty object where they are missing or of a wrong type."""
        return self._object("annotations")


@record
class Timing:
    """How long the start took, in milliseconds, and how much the tool list weighs.

    Attributes:
        start_ms: From starting the process (stdio) or the first request to the agreed revision.
        list_ms: From asking for the first page of tools to having the last.
        list_bytes: Size of those answers on the wire.
    """

    start_ms: float = 0.0
    list_ms: float = 0.0
    list_bytes: int = 0


@record(kw_only=True)
class ServerInfo:
    """What a server says of itself.

    Attributes:
        name: From the handshake; None where it gave none. Likewise `version`.
        protocol: The revision that was agreed on.
        transport: stdio or http.
        capabilities: As declared; empty where they are missing or of a wrong type.
        instructions: From the handshake.
    """

    name: str | None = None
    version: str | None = None
    protocol: str = ""
    transport: str = "stdio"
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    instructions: str | None = None
    tools: tuple[Tool, ...] = ()
    resources: tuple[Listed, ...] = ()
    resource_templates: tuple[Listed, ...] = ()
    prompts: tuple[Listed, ...] = ()
    timing: Timing = Timing()
