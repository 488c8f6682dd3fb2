"""What GitHub's runner makes of a program's output: workflow commands, annotations, limits.

    reader = LogReader("path/of/the/workspace")
    reader.read(output)
    assert [annotation.file for annotation in reader.annotations] == ["server.py"]

An oracle for tests, with the runner's strictness, each rule from the sources of actions/runner
(read at commit 258d6c8; folders below src/):

  lines        Stdout and stderr are read apart, line by line; "\\n", "\\r\\n" and a lone "\\r" all end
               a line (Runner.Sdk/ProcessInvoker.cs, which uses .NET's StreamReader.ReadLine).
  commands     `::name key=value,key=value::data` after leading white space; failing that, the older
               `##[name key=value;key=value]data` anywhere in a line. Names and keys ignore case; an
               unknown name is plain text. `%` escapes are undone by exact replacement
               (Runner.Common/ActionCommand.cs).
  effects      set-env and add-path fail the step, as does add-matcher with a missing file;
               ::stop-commands::TOKEN holds until ::TOKEN:: (Runner.Worker/ActionCommandManager.cs).
  annotations  `endLine` without `line` becomes `line`; columns are dropped without a line or across
               lines; a `file` below the workspace is made relative; existence is not checked (the
               same file).
  limits       10 errors, 10 warnings and 10 notices of a step are kept, and a composite action is
               one step; a message is cut at 4,096 UTF-16 units (Runner.Worker/ExecutionContext.cs).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

MAX_PER_LEVEL = 10
MAX_MESSAGE = 4096
LEVELS = ("error", "warning", "notice")
COMMANDS = frozenset(
    {
        *LEVELS,
        "debug",
        "group",
        "endgroup",
        "echo",
        "add-mask",
        "add-matcher",
        "remove-matcher",
        "stop-commands",
        "set-output",
        "save-state",
        "set-env",
        "add-path",
    }
)
UNESCAPE_DATA = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
UNESCAPE_PROPERTY = (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))
UNESCAPE_LEGACY = (("%3B", ";"), ("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%25", "%"))
# What .NET's TrimStart() takes for white space; Python's str.lstrip() has U+001C..U+001F besides.
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Command:
    """One workflow command, its escapes undone. The keys of `properties` are in lower case."""

    name: str
    properties: Mapping[str, str]
    data: str


@dataclass(frozen=True)
class Annotation:
    """One annotation as it would be sent to GitHub: after validation, and cut."""

    level: str
    message: str
    file: str | None = None
    line: int | None = None
    end_line: int | None = None
    col: int | None = None
    end_col: int | None = None
    title: str | None = None


def parse_command(line: str, known: Iterable[str] = COMMANDS) -> Command | None:
    """The command that the runner sees in `line`, or None for plain text."""
    names = {name.lower() for name in known}
    return _parse_current(line.lstrip(WHITE_SPACE), names) or _parse_legacy(line, names)


def _parse_current(text: str, known: set[str]) -> Command | None:
    end = text.find("::", 2)
    if not text.startswith("::") or end < 0:
        return None
    name, _, properties = text[2:end].partition(" ")
    if name.lower() not in known:
        return None
    return Command(
        name.lower(),
        _properties(properties.strip(WHITE_SPACE), ",", UNESCAPE_PROPERTY),
        _unescape(text[end + 2 :], UNESCAPE_DATA),
    )


def _parse_legacy(text: str, known: set[str]) -> Command | None:
    start = text.find("##[")  # the first one alone: a later one in the line is not looked at
    end = text.find("]", start) if start >= 0 else -1
    if end < 0:
        return None
    name, _, properties = text[start + 3 : end].partition(" ")
    if name.lower() not in known:
        return None
    return Command(
        name.lower(),
        _properties(properties, ";", UNESCAPE_LEGACY),
        _unescape(text[end + 1 :], UNESCAPE_LEGACY),
    )


def _properties(text: str, separator: str, escapes: tuple[tuple[str, str], ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in text.split(separator):
        key, _, value = pair.lstrip("=").partition("=")
        value = value.lstrip("=")  # .NET drops empty parts: "title==a" gives "a"
        if value:
            found[key.lower()] = _unescape(value, escapes)
    return found


def _unescape(text: str, escapes: tuple[tuple[str, str], ...]) -> str:
    for escape, character in escapes:
        text = text.replace(escape, character)
    return text


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(r"\s*[+-]?\d+\s*", text) else None


def _cut(text: str, units: int) -> str:
    return text.encode("utf-16-le", "surrogatepass")[: units * 2].decode("utf-16-le", "replace")


def annotation_of(command: Command, workspace: str = "") -> Annotation:
    """The annotation that an error, warning or notice command becomes."""
    place = {key: command.properties.get(key) for key in ("line", "endline", "col", "endcolumn")}
    line, end_line, col, end_col = (
        _number(place[key]) for key in ("line", "endline", "col", "endcolumn")
    )
    if end_line is not None and line is None:
        line, place["line"] = end_line, place["endline"]
    if end_col is not None and col is None:
        col = end_col
    if line is None or (end_line is not None and place["line"] != place["endline"]):
        col = end_col = None
    if line is not None and end_line is not None and end_line < line:
        line = end_line = None
    if col is not None and end_col is not None and end_col < col:
        col = end_col = None
    file = command.properties.get("file")
    root = workspace.rstrip("/")
    if file and root and file.startswith(root + "/"):
        file = file[len(root) + 1 :]
    return Annotation(
        command.name,
        _cut(command.data, MAX_MESSAGE),
        file,
        line,
        end_line,
        col,
        end_col,
        command.properties.get("title"),
    )


@dataclass
class LogReader:
    """Reads output as the runner does, and keeps what would be seen of it.

    `annotations` are those that survive the limits, `dropped` counts those that do not. `failures` are reasons
    for which the commands themselves fail the step. `log` is what the log shows, masks applied.
    """

    workspace: str = ""
    log: list[str] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    dropped: int = 0
    commands: list[Command] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    masks: list[str] = field(default_factory=list)
    stop_token: str | None = None

    def read(self, output: str) -> None:
        """Read the whole output of a stream."""
        lines = LINE_END.split(output)
        for line in lines if lines[-1] else lines[:-1]:
            self.read_line(line)

    def read_line(self, line: str) -> None:
        """Read one line, without its end."""
        known = COMMANDS if self.stop_token is None else COMMANDS | {self.stop_token}
        command = parse_command(line, known)
        if command and self.stop_token is not None:
            if command.name == self.stop_token.lower():
                self.stop_token = None
                self.write(line)
                return
            command = None
        if command is None:
            self.write(line)
            return
        self.commands.append(command)
        self._obey(command)

    def annotate(self, level: str, message: str) -> None:
        """Add an issue of the runner's own."""
        self._add(annotation_of(Command(level, {}, message)))

    def write(self, line: str) -> None:
        """Show a line in the log."""
        self.log.append(self.masked(line))

    def masked(self, text: str) -> str:
        """`text` with the masked values replaced."""
        for mask in sorted(self.masks, key=len, reverse=True):
            text = text.replace(mask, "***")
        return text

    def _add(self, annotation: Annotation) -> None:
        annotation = Annotation(**{**vars(annotation), "message": self.masked(annotation.message)})
        self.write(f"##[{annotation.level}]{annotation.message}")
        if sum(1 for kept in self.annotations if kept.level == annotation.level) < MAX_PER_LEVEL:
            self.annotations.append(annotation)
        else:
            self.dropped += 1

    def _obey(self, command: Command) -> None:
        name, data = command.name, command.data
        reason = self._refusal(name, command.properties.get("name"), data)
        if reason:
            self._fail(reason)
        elif name in LEVELS:
            self._add(annotation_of(command, self.workspace))
        elif name == "stop-commands":
            self.stop_token = data
        elif name == "add-mask":
            self.masks += [part for part in {data, *LINE_END.split(data)} if part.strip()]
        elif name == "set-output":
            self.outputs[command.properties["name"]] = data
        elif name in ("group", "endgroup"):
            self.write(f"##[{name}]{data if name == 'group' else ''}")

    def _refusal(self, name: str, named: str | None, data: str) -> str | None:
        """Why the runner fails the step for a command; None where it obeys."""
        match name:
            case "stop-commands" if not data or data.lower() in COMMANDS | {"pause-logging"}:
                return f"'{data}' is no token for stop-commands"
            case "set-env" | "add-path":
                return f"the command '{name}' is disabled"
            case "set-output" | "save-state" if not named:
                return f"the command '{name}' lacks a name"
            case "add-matcher" if data and not (Path(self.workspace) / data).is_file():
                return f"there is no file {data!r}"
            case "echo" if data.strip().lower() not in ("on", "off"):
                return f"echo is on or off, not {data!r}"
            case _:
                return None

    def _fail(self, reason: str) -> None:
        self.failures.append(reason)
        self.annotate("error", f"Unable to process command: {reason}")
