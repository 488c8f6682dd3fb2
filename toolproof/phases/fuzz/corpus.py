"""Inputs that failed, kept on disk for the next run: they are called first."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from toolproof.phases.fuzz.generate import ABSENT, Case, Plan, Stage, case_key
from toolproof.report import FuzzFinding, FuzzResult, Severity

MOST_FILES = 1_000
_MOST_BYTES = 1_000_000
_NOT_KEPT = frozenset({"slow", "growth", "flaky", "hint-violation", "bad-schema"})


class Kept(NamedTuple):
    """One input of the corpus."""

    tool: str
    arguments: Any
    kind: str


def read_corpus(folder: Path | None) -> Mapping[str, list[Kept]]:
    """The inputs by tool, in the order of their files; what cannot be read is passed over."""
    found: dict[str, list[Kept]] = {}
    if folder is None or not folder.is_dir():
        return found
    for path in sorted(folder.glob("*.json"))[:MOST_FILES]:
        kept = _read(path)
        if kept is not None:
            found.setdefault(kept.tool, []).append(kept)
    return found


def _read(path: Path) -> Kept | None:
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(held, dict) or not isinstance(held.get("tool"), str):
        return None
    arguments = held.get("arguments", ABSENT)
    return Kept(held["tool"], arguments, str(held.get("kind", "")))


def corpus_cases(kept: Iterable[Kept], plan: Plan) -> Iterator[Case]:
    """Cases of the inputs, labelled anew by the schema of today."""
    for one in kept:
        mode = plan.label(one.arguments)
        if mode is not None:
            yield Case(one.arguments, mode, f"kept from an earlier {one.kind}", Stage.EXAMPLES)


def write_corpus(folder: Path | None, results: Iterable[FuzzResult]) -> None:
    """Keep the input of each finding, under a name made of what it is; a full disk is no fault."""
    if folder is None:
        return
    with suppress(OSError):
        for result in results:
            for finding in result.findings:
                kept = finding.kind not in _NOT_KEPT and finding.severity is not Severity.INFO
                if kept and not finding.steps:
                    _write(folder, result.tool, finding)


def _write(folder: Path, tool: str, finding: FuzzFinding) -> None:
    held: dict[str, Any] = {"tool": tool, "kind": finding.kind, "reason": finding.reason}
    arguments: Any = ABSENT
    if finding.input is not None:
        held["arguments"] = arguments = finding.input
    try:
        text = json.dumps(held, indent=1)
        name = hashlib.sha256(f"{tool}\0{case_key(arguments)}".encode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError, TypeError):
        return
    if len(text) > _MOST_BYTES:
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name.hexdigest()[:16]}.json").write_text(f"{text}\n", encoding="utf-8")
