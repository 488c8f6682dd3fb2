"""`expect.snapshot`: the first run records a result, later runs compare."""

import json
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Any

from toolproof.config import Config
from toolproof.errors import ConfigError
from toolproof.phases.tests.match import same, show
from toolproof.report import CallResult, Failure

SUFFIX = ".snapshots.json"
"""Beside `toolproof.yaml` lies `toolproof.snapshots.json`: one file, to be committed."""


class Snapshots:
    """The recorded results of one config.

    Attributes:
        notes: What was recorded, in words.
    """

    def __init__(self, config: Config, *, update: bool = False) -> None:
        self.path: Path | None = config.path.with_suffix(SUFFIX) if config.path else None
        self.update = update
        self._secrets = config.secrets  # the file is to be committed
        self.notes: list[str] = []
        self._changed = False
        self._known: dict[str, Any] | None = None

    def compare(self, key: str, result: CallResult, wanted: Any) -> Iterator[Failure]:
        """Hold a result against what was recorded under `key`; record it where nothing was.

        Args:
            key: The test's name.
            result: What the call gave.
            wanted: True, or {"ignore": [JSONPath, …]}.
        """
        if wanted is False:
            return
        ignore = wanted.get("ignore", []) if isinstance(wanted, Mapping) else []
        now = self._secrets.mask_any(_without(_shape(result), ignore))
        known = self._read()
        if key not in known or self.update:
            if key not in known or not same(known[key], now):
                known[key] = now
                self._changed = True
                self.notes.append(f"snapshot of test {key!r} recorded in {self._name()}")
            return
        before = self._secrets.mask_any(_without(known[key], ignore))
        if not same(before, now):
            old, new = (_lines(value) for value in (before, now))
            changed = list(unified_diff(old, new, lineterm="", n=0))[3:4]
            yield Failure(
                message=f"the result differs from its snapshot in {self._name()}"
                + (f": {changed[0].strip()}" if changed else ""),
                expected="\n".join(old),
                got="\n".join(new),
            )

    def write(self) -> None:
        """Write what was recorded, if anything was."""
        if self._changed and self.path is not None and self._known is not None:
            text = json.dumps(self._known, indent=2, sort_keys=True) + "\n"
            try:
                self.path.write_text(text, encoding="utf-8")
            except OSError as exc:
                self.notes.append(f"the snapshots could not be written to {self.path}: {exc}")

    def _name(self) -> str:
        return self.path.name if self.path else "memory (there is no config file)"

    def _read(self) -> dict[str, Any]:
        if self._known is not None:
            return self._known
        self._known = {}
        if self.path is not None and self.path.exists():
            try:
                found = json.loads(self.path.read_text(encoding="utf-8"))
            except (OSError, ValueError) as exc:
                raise ConfigError(
                    f"the snapshots cannot be read: {exc}",
                    where=str(self.path),
                    hint="Mend the file, or delete it to record anew.",
                ) from exc
            if not isinstance(found, dict):
                raise ConfigError(
                    f"the snapshots must be an object, got {show(found)}", where=str(self.path)
                )
            self._known = found
        return self._known


def _shape(result: CallResult) -> Any:
    """What is recorded: the data where there is any, else the text, and whether it is an error."""
    what = result.data if result.data is not None else result.text
    return {"is_error": result.is_error, "result": what}


def _lines(value: Any) -> list[str]:
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True).splitlines()


def _without(value: Any, ignore: list[str]) -> Any:
    """The value without what these JSONPaths (into its `result`) lead to."""
    if not ignore:
        return value
    import jsonpath  # noqa: PLC0415 - only where a snapshot ignores something

    copy = json.loads(json.dumps(value))
    for path in ignore:
        for match in list(jsonpath.finditer(path, copy["result"])):
            if match.parent is None:
                continue
            holder: Any = match.parent.obj
            holder[match.parts[-1]] = "(ignored)"
    return copy
