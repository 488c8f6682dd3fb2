"""What changed since toolproof.lock, as a terminal shows it and as JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from toolproof.errors import ConfigError
from toolproof.finish.changes import Change, Kind, Witness, changes
from toolproof.finish.surface import Lock, LockFile
from toolproof.text import one_line

_STYLES = {
    Kind.BREAKING: "31;1",
    Kind.ROUTING: "35",
    Kind.ADDITIVE: "32",
    Kind.COSMETIC: "2",
}


def changes_since(old: LockFile, new: Lock, witness: Witness) -> list[Change]:
    """What changed on all servers, the worst first.

    Raises:
        ConfigError: The file is of other servers.
    """
    found: list[Change] = []
    for name, surface in new.items():
        before = old.lock.get(name)
        if before is None:
            raise ConfigError(
                f"it has nothing of server {name!r}" if name else "it is of several servers",
                where=str(old.path),
                hint="Give another file with --lock, or delete this one and write it anew.",
            )
        steps = ("servers", name) if name else ()
        found += changes(before, surface, steps=steps, witness=witness)
    return sorted(found, key=lambda change: change.kind.rank)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What changed, and what that comes to.

    Attributes:
        name: The file, as it is shown.
        old: What was in it; None where there was none.
        least: The least change that fails; None for none.
    """

    name: str
    old: LockFile | None
    found: Sequence[Change]
    least: Kind | None = None

    @property
    def code(self) -> int:
        """The exit code."""
        least = self.least
        return int(
            least is not None and any(change.kind.rank <= least.rank for change in self.found)
        )

    @property
    def counts(self) -> dict[Kind, int]:
        """How many changes there are of each kind."""
        counted = Counter(change.kind for change in self.found)
        return {kind: counted[kind] for kind in Kind}

    def lines(self, *, color: bool) -> Iterator[str]:
        """A line for each change: file, line, kind, subject, what, where."""
        for change in self.found:
            line = self.old.line_of(change.steps) if self.old else 1
            kind = str(change.kind)
            word = f"\x1b[{_STYLES[change.kind]}m{kind}\x1b[0m" if color else kind
            said = one_line(f"{change.subject}: {change.message}, at {change.pointer}")
            yield f"{self.name}:{line}: {word} {said}"

    def verdict(self) -> Iterator[str]:
        """The last lines of a check."""
        counted = self._counted()
        changed = (
            f"{counted} since {self.name}" if counted else f"nothing changed since {self.name}"
        )
        if self.code:
            yield "if that is meant: toolproof snapshot"
        yield f"{'FAILED' if self.code else 'PASSED'}  {changed} · exit {self.code}"

    def written(self) -> str:
        """What was done, where the file was written."""
        counted = self._counted()
        if self.old is not None and not counted:
            return f"{self.name} is up to date"
        return f"{self.name} written{f': {counted}' if counted else ''}"

    def _counted(self) -> str:
        return ", ".join(f"{number:,} {kind}" for kind, number in self.counts.items() if number)

    def document(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "lock": self.name,
            "outcome": "failed" if self.code else "passed",
            "exit_code": self.code,
            "counts": {str(kind): number for kind, number in self.counts.items()},
            "changes": [
                {
                    "kind": str(change.kind),
                    "subject": change.subject,
                    "pointer": change.pointer,
                    "message": change.message,
                }
                for change in self.found
            ],
        }
