"""Plain words of YAML that not everyone reads alike, kept as they were written."""

from enum import StrEnum

from toolproof.text import shorten


class Kind(StrEnum):
    """What YAML 1.1 takes a plain word for."""

    BOOLEAN = "boolean"
    DATE = "date"
    OCTAL = "octal number"
    SIXTIES = "base-60 number"
    NUMBER = "number"


class Odd(str):
    """A plain word as it was written, with what YAML 1.1 reads in it.

    Kept so are those that other readers, or the writer, may take for text (`no`, `on`,
    `2025-06-18`, `0755`, `12:30`), and numbers that do not print as they were written (`1.10`).
    Whoever reads the key decides what it is; an `Odd` never leaves `toolproof.config`.

    Attributes:
        kind: What YAML 1.1 takes it for.
        value: The value that it then has; of a date the word itself.
    """

    __slots__ = ("kind", "value")

    kind: Kind
    value: bool | float | str

    @classmethod
    def of(cls, written: str, kind: Kind, value: object) -> "Odd":
        odd = cls(written)
        odd.kind = kind
        odd.value = value if isinstance(value, bool | int | float) else written
        return odd

    @property
    def plain(self) -> str:
        """The value as it can be written so that everyone reads it alike; empty for a date."""
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return "" if isinstance(self.value, str) else shorten(str(self.value), 60)

    @property
    def shown(self) -> str:
        """As it was written, short enough for a message."""
        return shorten(str(self), 60)

    @property
    def reading(self) -> str:
        """What happened: "no without quotes is false in YAML"."""
        match self.kind:
            case Kind.BOOLEAN:
                return f"{self.shown} without quotes is {self.plain} in YAML"
            case Kind.DATE:
                return f"{self.shown} without quotes is a date in YAML"
            case _:
                return f"{self.shown} without quotes is the {self.kind} {self.plain} in YAML"
