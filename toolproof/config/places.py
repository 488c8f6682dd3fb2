"""Where in the file a value is: from the way to it to its line."""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, NamedTuple

from toolproof.config.mistakes import Steps
from toolproof.config.tree import Node
from toolproof.records import record


class Place(NamedTuple):
    """A line of the file.

    Attributes:
        file: The path of the file, as it was given.
        line: From 1.
    """

    file: str
    line: int


@record
class Places:
    """The lines of a file's values, less those that a flag wins over.

    Attributes:
        path: The file, if there is one.
        tree: What stands in it.
        overrides: What flags say, nested as in the file.
    """

    path: Path | None = None
    tree: Node | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)

    @property
    def replace_server(self) -> bool:
        """Whether flags say how to reach the server, so that the file does not."""
        server = self.overrides.get("server")
        return isinstance(server, Mapping) and not server.keys().isdisjoint(("command", "url"))

    def place(self, steps: Steps) -> Place | None:
        """Where a value is; None if it is not in the file."""
        if self.tree is None or self._in_overrides(self.tree, steps):
            return None
        line = self.tree.line_of(steps)
        return Place(str(self.path), line) if line is not None else None

    def nearest_line(self, steps: Steps) -> int | None:
        """The line of the innermost value on the way; None if a flag, or no file, says it."""
        if self.tree is None or self._in_overrides(self.tree, steps):
            return None
        return self.tree.nearest(steps)[0]

    def _in_overrides(self, tree: Node, steps: Steps) -> bool:
        if self.replace_server and steps[:1] in (("server",), ("servers",)):
            return True
        value: Any = self.overrides
        for step in steps:
            if not isinstance(value, Mapping):
                return True
            if step not in value:
                return False
            value = value[step]
        return not isinstance(value, Mapping) or tree.line_of(steps) is None
