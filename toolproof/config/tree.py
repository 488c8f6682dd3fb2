"""A YAML text as a tree that knows the line of each value."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml

from toolproof.config.json_in_yaml import ForYaml
from toolproof.config.mistakes import DEEPEST, Mistake, Steps, seen
from toolproof.config.scalars import Kind, Odd
from toolproof.config.words import MOST_DIGITS, value_of
from toolproof.config.yaml_faults import NotYaml, explained, refuse_control_characters

MOST_VALUES = 250_000
"""So many values a file may have once its anchors are written out."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STANDARD = "tag:yaml.org,2002:"
_READ_AS_PLAIN = frozenset(_STANDARD + name for name in ("int", "float", "bool", "null"))


class LineMistake(NamedTuple):
    """A mistake whose line is known already."""

    line: int
    mistake: Mistake


@dataclass(slots=True)
class Node:
    """One value of the file.

    Attributes:
        line: Where it starts, from 1.
        value: A scalar; a list of nodes; or a mapping of keys to their line and node.
        size: How many values it holds, itself included, with anchors written out.
        depth: How many levels it has, itself included.
    """

    line: int
    value: Any
    size: int = 1
    depth: int = 1

    def add(self, child: "Node") -> None:
        """Count a value that stands in it."""
        self.size += child.size
        self.depth = max(self.depth, child.depth + 1)
        if self.size > MOST_VALUES:
            raise NotYaml(
                self.line, f"it has over {MOST_VALUES:,} values, with its anchors written out"
            )
        if self.depth > DEEPEST:
            raise NotYaml(self.line, f"it is nested more than {DEEPEST} levels deep")

    def plain(self) -> Any:
        """The value without lines."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, (_line, node) in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def line_of(self, steps: Steps) -> int | None:
        """The line of a value, that of its key where it has one; None if it is not there."""
        line, found = self.nearest(steps)
        return line if found == len(steps) else None

    def nearest(self, steps: Steps) -> tuple[int, int]:
        """The line of the innermost value on the way, and how many steps lead there."""
        line, node, taken = self.line, self, 0
        for step in steps:
            match node.value:
                case dict() if isinstance(step, str) and step in node.value:
                    line, node = node.value[step]
                case list() if isinstance(step, int) and step < len(node.value):
                    node = node.value[step]
                    line = node.line
                case _:
                    break
            taken += 1
        return line, taken


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet."""

    node: Node
    anchor: str | None
    key: tuple[int, str] | None = None
    merged: list[Node] = field(default_factory=list)
    merging: bool = False

    @property
    def awaits_key(self) -> bool:
        """Whether what comes next is the key of a mapping."""
        return isinstance(self.node.value, dict) and self.key is None and not self.merging

    def merge(self) -> None:
        """Add what `<<` brings along; own keys win, and earlier mappings over later ones."""
        for source in self.merged:
            for key, (line, node) in source.value.items():
                if key not in self.node.value:
                    self.node.add(node)
                    self.node.value[key] = (line, node)


class _Builder:
    """From YAML's events to a tree."""

    def __init__(self, source: ForYaml) -> None:
        self.mistakes: list[LineMistake] = []
        self.root: Node | None = None
        self._open: list[_Open] = []
        self._anchors: dict[str, Node | None] = {}
        self._source = source

    def take(self, event: yaml.Event) -> None:
        match event:
            case yaml.ScalarEvent():
                self._scalar(event)
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                self._start(event)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._end()
            case yaml.AliasEvent():
                self._alias(event)
            case yaml.DocumentStartEvent() if self.root is not None:
                raise NotYaml(_line(event), "a second document starts here; it must be one")

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        if self._awaits_key():
            self._open[-1].key = self._key(event)
        else:
            node = Node(_line(event), self._value(event))
            if event.anchor is not None:
                self._anchors[event.anchor] = node
            self._put(node)

    def _awaits_key(self) -> bool:
        return bool(self._open) and self._open[-1].awaits_key

    def _start(self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent) -> None:
        if self._awaits_key():
            raise NotYaml(_line(event), "a key must be text; braces and brackets need quotes")
        if event.tag not in (None, "!", _STANDARD + "map", _STANDARD + "seq"):
            self._mistake(_line(event), f"there is no tag {event.tag!r} here; write plain YAML")
        empty: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._open.append(_Open(Node(_line(event), empty), event.anchor))
        if len(self._open) > DEEPEST:
            raise NotYaml(_line(event), f"it is nested more than {DEEPEST} levels deep")

    def _end(self) -> None:
        closed = self._open.pop()
        closed.merge()
        if closed.anchor is not None:
            self._anchors[closed.anchor] = closed.node
        self._put(closed.node)

    def _alias(self, event: yaml.AliasEvent) -> None:
        if self._awaits_key():
            raise NotYaml(_line(event), "a key must be text, not an alias")
        if event.anchor not in self._anchors:
            known = ", ".join(f"&{name}" for name in list(self._anchors)[:5]) or "none"
            raise NotYaml(_line(event), f"no anchor &{event.anchor} stands before; known: {known}")
        node = self._anchors[event.anchor]
        if node is None:
            raise NotYaml(_line(event), f"*{event.anchor} stands inside of what it names")
        self._put(node)

    def _put(self, node: Node) -> None:
        """Give a value to the list or mapping that is open, or take it as the whole."""
        if not self._open:
            self.root = node
            return
        parent = self._open[-1]
        if isinstance(parent.node.value, list):
            parent.node.add(node)
            parent.node.value.append(node)
            return
        key, parent.key = parent.key, None
        if key is None:
            self._merge(parent, node)
            return
        line, name = key
        if name in parent.node.value:
            first = parent.node.value[name][0]
            self._mistake(line, f"the key is there twice; the first is in line {first}", name)
            return
        parent.node.add(node)
        parent.node.value[name] = (line, node)

    def _merge(self, parent: _Open, node: Node) -> None:
        parent.merging = False
        nodes = node.value if isinstance(node.value, list) else [node]
        for part in nodes:
            if isinstance(part.value, dict):
                parent.merged.append(part)
            else:
                self._mistake(node.line, "a mapping, or a list of mappings, goes with '<<'", "<<")

    def _key(self, event: yaml.ScalarEvent) -> tuple[int, str] | None:
        """The line and the text of a key; None for the one that merges."""
        name = self._source.restored(event.value, quoted=event.style == '"')
        if event.implicit[0] and name == "<<":
            self._open[-1].merging = True
            return None
        value = self._value(event)
        if isinstance(value, Odd) and value.kind in (Kind.BOOLEAN, Kind.DATE):
            self._mistake(_line(event), f'{value.reading}: write "{name}" as key', name)
        elif value is None or isinstance(value, bool):
            self._mistake(
                _line(event), f'expected text as key, got {seen(value)}: write "{name}"', name
            )
        return _line(event), name

    def _value(self, event: yaml.ScalarEvent) -> Any:
        text = self._source.restored(event.value, quoted=event.style == '"')
        if not event.implicit[0] and event.tag not in _READ_AS_PLAIN:
            if event.tag not in (None, "!", _STANDARD + "str"):
                self._mistake(_line(event), f"there is no tag {event.tag!r} here; write plain YAML")
            return text
        try:
            return value_of(text)
        except ValueError:
            self._mistake(_line(event), f"a number of over {MOST_DIGITS:,} digits")
            return None

    def _mistake(self, line: int, message: str, *more: str) -> None:
        steps: list[str | int] = []
        for part in self._open:
            if isinstance(part.node.value, list):
                steps.append(len(part.node.value))
            elif part.key is not None:
                steps.append(part.key[1])
        if not more or steps[-1:] != [more[-1]]:
            steps += more
        self.mistakes.append(LineMistake(line, Mistake(tuple(steps), message)))


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark is not None else 1


def read_tree(text: str) -> tuple[Node | None, list[LineMistake]]:
    """The tree of a YAML text, None if nothing is in it; and what is wrong in parts of it.

    Raises:
        NotYaml: It cannot be read at all.
    """
    source = ForYaml(text)
    refuse_control_characters(source.text)
    builder = _Builder(source)
    try:
        for event in yaml.parse(source.text, Loader=_LOADER):
            builder.take(event)
    except yaml.YAMLError as exc:
        raise explained(exc) from None
    return builder.root, builder.mistakes
