"""`${NAME}` from the environment, in the section `server`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolproof.config.mistakes import Mistake, Steps
from toolproof.config.scalars import Odd
from toolproof.config.server import split_command

_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_DEFAULT = r"(?:[^}$]|\$(?!\{))*"  # ends before the next reference: else the search is quadratic
_REFERENCE = re.compile(rf"\$\{{({_NAME})(?::-({_DEFAULT}))?\}}")
_NESTED = re.compile(rf"\$\{{{_NAME}:-{_DEFAULT}\$\{{")
_FOREIGN = re.compile(rf"\$\{{env:({_NAME})\}}")
_HELD = re.compile("\ue000([0-9]{1,9})\ue001")  # private use: a reference's place in a command

NOT_SECRET = ("cwd", "source")
"""Keys of `server` whose variables hold paths, not secrets."""


@dataclass(slots=True)
class Expansion:
    """Expands one section, and remembers what it took.

    Attributes:
        environment: Where the values come from.
        taken: The variables that were used where secrets can stand, with their values.
        defaults: Values that consist of defaults alone.
        mistakes: Variables that are not set.
    """

    environment: Mapping[str, str]
    taken: dict[str, str] = field(default_factory=dict)
    defaults: set[str] = field(default_factory=set)
    mistakes: list[Mistake] = field(default_factory=list)

    def of_server(self, server: Any, at: Steps) -> Any:
        """The section with every `${NAME}` expanded; what is no mapping, as it is."""
        if not isinstance(server, Mapping):
            return server
        expanded = {}
        for key, value in server.items():
            if key == "command" and isinstance(value, str) and not isinstance(value, Odd):
                expanded[key] = self._command(value, (*at, key))
            else:
                expanded[key] = self.of_value(value, (*at, key), secret=key not in NOT_SECRET)
        return expanded

    def of_value(self, value: Any, at: Steps, *, secret: bool = True) -> Any:
        """A value with every `${NAME}` in its texts expanded; keys stay as they are."""
        match value:
            case Odd():
                return value
            case str():
                return self.of_text(value, at, secret=secret)
            case Mapping():
                return {k: self.of_value(v, (*at, k), secret=secret) for k, v in value.items()}
            case list() | tuple():
                return [
                    self.of_value(item, (*at, index), secret=secret)
                    for index, item in enumerate(value)
                ]
            case _:
                return value

    def of_text(self, text: str, at: Steps, *, secret: bool = True) -> str:
        """A text with every `${NAME}` in it expanded."""
        if "${" not in text:
            return text
        for foreign in _FOREIGN.finditer(text):
            self.mistakes.append(Mistake(at, f"write ${{{foreign[1]}}} in place of {foreign[0]}"))
        if _NESTED.search(text):
            self.mistakes.append(Mistake(at, "a default cannot hold another ${NAME}"))
        real = False

        def value_of(reference: re.Match[str]) -> str:
            nonlocal real
            name, default = reference.groups()
            value = self.environment.get(name)
            if default is not None and not value:
                return str(default)
            real = True
            if value is None:
                wrong = f"the environment variable {name} is not set; set it, or write ${{{name}:-default}}"
                self.mistakes.append(Mistake(at, wrong))
                return reference[0]
            if secret:
                self.taken[name] = value
            return value

        expanded, count = _REFERENCE.subn(value_of, text)
        if count and not real:
            self.defaults.add(expanded)
        return expanded

    def _command(self, line: str, at: Steps) -> Any:
        """A command on one line: split first, so that a value stays one word."""
        held: list[str] = []

        def hold(reference: re.Match[str]) -> str:
            held.append(reference[0])
            return f"\ue000{len(held) - 1}\ue001"

        try:
            words = split_command(_REFERENCE.sub(hold, line))
        except ValueError:
            return line  # its own check says what is wrong

        def give_back(mark: re.Match[str]) -> str:
            return held[int(mark[1])] if int(mark[1]) < len(held) else mark[0]

        return [self.of_text(_HELD.sub(give_back, word), at) for word in words]
