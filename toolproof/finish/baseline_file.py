"""The file that a baseline is kept in: read with every mistake told at once, written sorted."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from toolproof.config.mistakes import Mistake
from toolproof.config.tree import Node, read_tree
from toolproof.config.verdict import refusal
from toolproof.config.yaml_faults import NotYaml
from toolproof.errors import ConfigError
from toolproof.finish.baseline import Baseline, Entry, baseline_of
from toolproof.finish.places import workspace
from toolproof.finish.reading import read_bytes
from toolproof.finish.yaml_text import scalar
from toolproof.masking import Secrets
from toolproof.report import Place
from toolproof.report.document import load_document
from toolproof.text import nearest, quoted

NAME = "toolproof-baseline.yaml"
"""Where `toolproof baseline` writes, unless it is told otherwise."""

VERSION = 1
HINT = "Write it with `toolproof baseline`."

_TEXTS = ("phase", "rule", "server", "subject")
_KEYS = ("fingerprint", *_TEXTS, "pointer", "reason", "expires")
_FINGERPRINT_LENGTH = 16
_HEAD = """\
# Known problems: `toolproof run --baseline {name}` lets them pass.
# An entry whose problem is gone fails: `toolproof baseline --prune` takes it out.
"""


def read_baseline(path: Path) -> Baseline:
    """What the file lets pass: a baseline, or an earlier JSON report.

    Raises:
        ConfigError: It cannot be read, or something in it is wrong; all mistakes are told.
    """
    data = read_bytes(path, hint=HINT)
    report = _as_report(data)
    if report is not None:
        return baseline_of(load_document(report, str(path)), path.name)
    return read_text(_decoded(data, path), path)


def read_text(text: str, path: Path) -> Baseline:
    """The baseline that this text is.

    Raises:
        ConfigError: Something in it is wrong; all mistakes are told.
    """
    try:
        tree, found = read_tree(text)
    except NotYaml as exc:
        where = str(path) if exc.line is None else f"{path}:{exc.line}"
        raise ConfigError(exc.reason, where=where, file=str(path), line=exc.line) from None
    reader = _Reader(path)
    reader.mistakes += [(line, mistake) for line, mistake in found]
    entries = tuple(reader.entries(tree))
    if reader.mistakes:
        raise refusal(reader.mistakes, path, Secrets.of({}))
    return Baseline(name=path.name, entries=entries)


def baseline_text(entries: Iterable[Entry], name: str = NAME) -> str:
    """The file for these entries: sorted, so that a change of it is easy to read."""
    lines = [_HEAD.format(name=name) + f"version: {VERSION}"]
    ordered = sorted(entries, key=lambda entry: entry.order)
    lines.append("known:" if ordered else "known: []")
    for entry in ordered:
        given = [(key, value) for key, value in _fields(entry) if value]
        lines += [
            f"  {'-' if at == 0 else ' '} {key}: {value}" for at, (key, value) in enumerate(given)
        ]
    return "\n".join(lines) + "\n"


def _fields(entry: Entry) -> Iterator[tuple[str, str]]:
    yield "fingerprint", scalar(entry.fingerprint)
    for key in (*_TEXTS, "pointer", "reason"):
        value: str | None = getattr(entry, key)
        yield key, scalar(value) if value else ""
    yield "expires", entry.expires.isoformat() if entry.expires else ""


def _as_report(data: bytes) -> Any:
    """The document of a JSON report; None where it is something else."""
    if not data.lstrip().startswith(b"{"):
        return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and "schema_version" in found else None


def _decoded(data: bytes, path: Path) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data.count(b"\n", 0, exc.start) + 1
        raise ConfigError(
            f"it is not UTF-8: byte 0x{data[exc.start]:02x}",
            where=f"{path}:{line}",
            file=str(path),
            line=line,
        ) from None


class _Reader:
    """From a tree to entries, and what is wrong on the way."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.mistakes: list[tuple[int | None, Mistake]] = []
        self.file = _relative(path)

    def entries(self, tree: Node | None) -> Iterator[Entry]:
        if tree is None or not isinstance(tree.value, dict):
            self._wrong(tree.line if tree else 1, (), "expected the keys 'version' and 'known'")
            return
        for key, (line, _) in tree.value.items():
            if key not in ("version", "known"):
                self._wrong(line, (key,), "there is no such key; there are 'version' and 'known'")
        line, version = tree.value.get("version", (tree.line, None))
        if version is None or version.plain() != VERSION or isinstance(version.plain(), bool):
            got = "nothing" if version is None else quoted(version.plain())
            self._wrong(line, ("version",), f"expected {VERSION}, got {got}")
        line, known = tree.value.get("known", (tree.line, None))
        if known is None or not isinstance(known.value, list | None):
            self._wrong(line, ("known",), "expected a list of known problems")
            return
        for index, node in enumerate(known.value or ()):
            entry = self._entry(index, node)
            if entry is not None:
                yield entry

    def _entry(self, index: int, node: Node) -> Entry | None:
        if not isinstance(node.value, dict):
            self._wrong(node.line, ("known", index), "expected an entry with a 'fingerprint'")
            return None
        before = len(self.mistakes)
        for key, (line, _) in node.value.items():
            if key not in _KEYS:
                near = nearest(key, _KEYS)
                meant = f"; did you mean {near!r}?" if near else ""
                self._wrong(line, ("known", index, key), f"there is no such key{meant}")
        texts = {key: self._text(index, node, key) for key in (*_KEYS[:-2], "reason")}
        mark = texts["fingerprint"].strip().lower()
        if len(mark) != _FINGERPRINT_LENGTH or not set(mark) <= set("0123456789abcdef"):
            self._wrong(
                _line(node, "fingerprint"),
                ("known", index, "fingerprint"),
                f"expected {_FINGERPRINT_LENGTH} hex digits, got {quoted(mark)}",
            )
        if not texts["reason"].strip():
            self._wrong(node.line, ("known", index), "a 'reason' is required: why may it pass?")
        expires = self._expires(index, node)
        if len(self.mistakes) > before:
            return None
        return Entry(
            fingerprint=mark,
            **{key: texts[key] for key in _TEXTS},
            pointer=texts["pointer"] or None,
            reason=texts["reason"].strip(),
            expires=expires,
            place=Place(file=self.file, line=node.line) if self.file else None,
        )

    def _text(self, index: int, node: Node, key: str) -> str:
        _, child = node.value.get(key, (0, None))
        value = None if child is None else child.plain()
        if value is None:
            return ""
        if isinstance(value, str):
            return str(value)
        if key == "fingerprint" and isinstance(value, int) and not isinstance(value, bool):
            return str(value)  # sixteen digits, and none of them a letter
        self._wrong(_line(node, key), ("known", index, key), f"expected text, got {quoted(value)}")
        return ""

    def _expires(self, index: int, node: Node) -> date | None:
        text = self._text(index, node, "expires")
        if not text:
            return None
        try:
            return date.fromisoformat(text)
        except ValueError:
            self._wrong(
                _line(node, "expires"),
                ("known", index, "expires"),
                f"expected a day such as 2027-01-31, got {quoted(text)}",
            )
            return None

    def _wrong(self, line: int, steps: tuple[str | int, ...], message: str) -> None:
        self.mistakes.append((line, Mistake(steps, message)))


def _line(node: Node, key: str) -> int:
    children: Mapping[str, tuple[int, Node]] = node.value
    return children[key][0] if key in children else node.line


def _relative(path: Path) -> str | None:
    """The file from the workspace; None outside of it."""
    try:
        return path.resolve().relative_to(workspace()).as_posix()
    except ValueError:
        return None
