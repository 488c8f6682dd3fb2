"""Where in a repository each tool of a server is defined.

A pointer to the wrong line is worse than none: a tool whose place is not certain has none.
"""

import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from toolproof.finish.candidates import Candidate, Wanted
from toolproof.finish.descriptions import Descriptions
from toolproof.finish.source_files import SUFFIXES, read, source_files, suffix_of
from toolproof.finish.source_text import SourceText
from toolproof.report.section import Place

SourceSetting = bool | str | Sequence[str | Path] | Mapping[str, str] | None
_ENOUGH_MOUNTED = 3
_MOST_PREFIXES = 8
_LONGEST_NAME = 256
_MOST_DIGITS = 9
_PREFIX = re.compile(r"__|[_\-./]")
_ONE_DEFINITION = 2  # lines that two mentions within one definition may be apart


def locate(  # noqa: PLR0913 - by keyword
    tools: Mapping[str, str],
    root: Path,
    *,
    source: SourceSetting = None,
    base: Path | None = None,
    workspace: Path | None = None,
    budget_s: float = 2.0,
    max_files: int = 20_000,
    clock: Callable[[], float] = time.monotonic,
) -> dict[str, Place]:
    """The place of each tool's definition in the source; a tool without a certain one is left out.

    Args:
        tools: Each tool's label with its description, as the server lists them; both hostile.
        root: The folder that is searched: files that git tracks below it, else all.
        source: `server.source` of the config: False for no search; folders and files to search
            instead of `root`; or places (`path:line`) by tool, which win over what is found.
        base: What paths in `source` are relative to; `root` if not given.
        workspace: What the places' files are relative to; `root` if not given. Nothing outside of
            it is a place.
        budget_s: Once it is spent, only what `source` says is a place.
        max_files: With more files than that, likewise.
        clock: Seconds, rising.
    """
    base, workspace = base or root, (workspace or root).resolve()
    given = source if isinstance(source, Mapping) else {}
    places = {
        label: place
        for label, where in given.items()
        if label in tools and (place := _override(where, base, workspace))
    }
    if source is False:
        return places
    folders = [root]
    if isinstance(source, str | Sequence) and source:
        folders = [base / path for path in ([source] if isinstance(source, str) else source)]
    end = clock() + budget_s
    wanted = {
        label: text
        for label, text in tools.items()
        if label not in given and len(label) <= _LONGEST_NAME
    }
    search = _Search(wanted, workspace, lambda: end - clock())
    try:
        files = list(_files(folders, search.time_left_s, max_files))
        places.update(search.by_name(files))
        places.update(search.by_description(files))
    except TimeoutError:
        pass
    return places


class _Search:
    """One search: what is looked for, what is still open, and the time that is left."""

    def __init__(
        self, tools: Mapping[str, str], workspace: Path, time_left_s: Callable[[], float]
    ) -> None:
        self.time_left_s = time_left_s
        self._tools = tools
        self._workspace = workspace
        self._open = set(tools)  # neither found nor ambiguous
        self._wrapped: dict[str, list[Candidate]] = defaultdict(list)

    def by_name(self, files: Iterable[str]) -> dict[str, Place]:
        """The places of tools whose names stand in a definition."""
        wanted = Wanted(self._tools, {label: (label,) for label in self._tools}, mounted=False)
        return self._defined(wanted, files)

    def by_description(self, files: Iterable[str]) -> dict[str, Place]:
        """The places of the others: by the end of the name where the description stands, too; by
        the description; else by a name alone that will do.
        """  # noqa: D205 - the three in their order
        wanted = Descriptions({label: self._tools[label] for label in self._open})
        files = [path for path, _, _ in self._read(files, wanted.may_be_in)] if self._open else []
        places = self._defined(
            Wanted(self._tools, _mounted(self._tools, self._open), mounted=True), files
        )
        found: dict[str, set[tuple[str, int]]] = defaultdict(set)
        for path, text in self._texts(files, wanted.may_be_in):
            for label, line in wanted.lines(text):
                found[label].add((path, line))
        last = {}
        for label in self._open:
            best = _only(self._wrapped[label])
            if len(found[label]) == 1:
                last[label] = self._place(*found[label].pop(), "description")
            elif best and not found[label]:
                last[label] = self._place(best.path, best.line, "definition")
        return places | _known(last)

    def _defined(self, wanted: Wanted, files: Iterable[str]) -> dict[str, Place]:
        found: dict[str, list[Candidate]] = defaultdict(list)
        for path, text in self._texts(files, wanted.may_be_in):
            for label, candidate in wanted.candidates(path, text):
                (self._wrapped if candidate.wrapped else found)[label].append(candidate)
        places = {}
        for label, candidates in found.items():
            pool = [each for each in candidates if each.near or not each.mounted]
            if pool:
                self._open.discard(label)
            best = _only(pool)
            if best:
                places[label] = self._place(best.path, best.line, "definition")
        return _known(places)

    def _texts(
        self, files: Iterable[str], may_matter: Callable[[bytes, str], bool]
    ) -> Iterator[tuple[str, SourceText]]:
        for path, suffix, data in self._read(files, may_matter):
            yield path, SourceText(data.decode("utf-8", "replace"), suffix)

    def _read(
        self, files: Iterable[str], may_matter: Callable[[bytes, str], bool]
    ) -> Iterator[tuple[str, str, bytes]]:
        for path in files:
            if self.time_left_s() <= 0:
                raise TimeoutError
            data, suffix = read(path), suffix_of(path)
            if data and may_matter(data, suffix):
                yield path, suffix, data

    def _place(self, path: str, line: int, by: str) -> Place | None:
        file = _below(path, self._workspace)
        return Place(file, line, by) if file else None


def _known(places: Mapping[str, Place | None]) -> dict[str, Place]:
    return {label: place for label, place in places.items() if place}


def _only(candidates: Sequence[Candidate]) -> Candidate | None:
    """The one that is left, if need be among those with the tool's description."""
    for pool in (candidates, [each for each in candidates if each.near]):
        distinct: list[Candidate] = []
        for each in sorted(pool, key=lambda each: (each.path, each.line)):
            last = distinct[-1] if distinct else None
            if not last or last.path != each.path or each.line - last.line > _ONE_DEFINITION:
                distinct.append(each)
        if len(distinct) == 1:
            return distinct[0]
    return None


def _mounted(tools: Iterable[str], wanted: Container[str]) -> dict[str, list[str]]:
    """What is left of names without a prefix that three tools share, and of which names."""
    prefixes = {
        label: [found.end() for found in islice(_PREFIX.finditer(label, 1), _MOST_PREFIXES)]
        for label in tools
    }
    times = Counter(label[:end] for label, ends in prefixes.items() for end in ends)
    left: dict[str, list[str]] = defaultdict(list)
    for label, ends in prefixes.items():
        for end in ends if label in wanted else ():
            if times[label[:end]] >= _ENOUGH_MOUNTED and label[end:]:
                left[label[end:]].append(label)
    return left


def _files(
    folders: Iterable[Path], time_left_s: Callable[[], float], max_files: int
) -> Iterator[str]:
    seen: set[str] = set()
    for folder in folders:
        for path in (str(folder),) if folder.is_file() else source_files(folder, time_left_s):
            if path not in seen and suffix_of(path) in SUFFIXES:
                seen.add(path)
                yield path
            if len(seen) > max_files or time_left_s() <= 0:
                raise TimeoutError


def _override(where: str, base: Path, workspace: Path) -> Place | None:
    """The place that the config gives, if there is such a line."""
    name, _, digits = where.rpartition(":")
    if not name or not digits.isascii() or not digits.isdigit() or len(digits) > _MOST_DIGITS:
        return None
    line = int(digits)
    file, data = _below(base / name, workspace), read(base / name)
    exists = file and data is not None and 1 <= line <= len(data.splitlines())
    return Place(file, line, "override") if file and exists else None


def _below(path: str | Path, workspace: Path) -> str | None:
    try:
        return Path(path).resolve().relative_to(workspace).as_posix()
    except (OSError, ValueError):
        return None
