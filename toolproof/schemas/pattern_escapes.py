"""What stands behind a backslash in an ECMA-262 regular expression, and the names of its groups."""

import re

from toolproof.schemas.pattern_tree import (
    BINARY_PROPERTIES,
    GENERAL_CATEGORIES,
    Anchor,
    Back,
    Char,
    ClassEscape,
    Property,
)

_CONTROL = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_HEX = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\}")
_SURROGATES = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_NUMBER = re.compile(r"[1-9][0-9]*")
_OCTAL = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?")
_PROPERTY = re.compile(r"[pP]\{([^}]*)\}")
_SHORT = frozenset(GENERAL_CATEGORIES.values())
_IN_OTHER_LANGUAGES = {
    "A": "write '^' for the start",
    "Z": "write '$' for the end",
    "z": "write '$' for the end",
    "a": "write '\\x07'",
    "e": "write '\\x1b'",
    "h": "write '[ \\t]'",
    "Q": "escape each character",
    "E": "escape each character",
    "R": "write '\\r?\\n'",
}
LAST_CODE_POINT = 0x10FFFF


class PatternError(ValueError):
    """A pattern is no valid expression; `reason` says why, in words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Escapes:
    """Where a pattern is being read, and how its escapes are.

    Attributes:
        at: The index of the next character.
        groups: How many capturing groups were opened so far.
        numbers: The number of each named group.
    """

    def __init__(self, pattern: str, *, unicode: bool) -> None:
        self.pattern = pattern
        self.unicode = unicode
        self.at = 0
        self.groups = 0
        self.numbers: dict[str, int] = {}
        self.all_groups = _count_groups(pattern)
        self._references: list[tuple[str, int]] = []

    def escape(self, *, in_class: bool = False) -> Char | ClassEscape | Property | Anchor | Back:
        """The part that begins with the backslash here."""
        start = self.at
        self.at += 1
        if self.at >= len(self.pattern):
            raise PatternError("the backslash at the end escapes nothing")
        char = self.pattern[self.at]
        if char in "dDwWsS":
            self.at += 1
            return ClassEscape(char)
        if char in "bB" and (not in_class or char == "b"):
            self.at += 1
            return Char(8) if in_class else Anchor(char)
        if char in "pP":
            return self._property()
        if char in "123456789" and not in_class:
            reference = self._numbered()
            if reference:
                return reference
        if char == "k" and not in_class:
            return self._named()
        return Char(self._character(start, char, in_class=in_class))

    def name_group(self, name: str, start: int) -> None:
        """Note a group's name; the caller sees to it that no other has it in the same choice."""
        if not name.replace("$", "_").isidentifier():
            raise PatternError(f"the group at {start} has {name!r} for a name")
        self.numbers.setdefault(name, self.groups)

    def check_backreferences(self) -> None:
        """Raises PatternError where a name that is referred to is no group's."""
        for name, start in self._references:
            if name not in self.numbers:
                raise PatternError(f"'\\k<{name}>' at {start} names no group")

    def _character(self, start: int, char: str, *, in_class: bool) -> int:
        self.at += 1
        if char in _CONTROL:
            return _CONTROL[char]
        if char == "c":
            return self._control_letter(start)
        if char in "xu":
            return self._hex(start)
        if char.isdecimal() and char.isascii():
            return self._octal(start)
        if char.isascii() and char.isalpha():
            told = _IN_OTHER_LANGUAGES.get(char, "an escaped letter must have a meaning")
            raise PatternError(f"'\\{char}' at {start} does not exist in JavaScript; {told}")
        if self.unicode and char not in _SYNTAX and not (in_class and char == "-"):
            raise PatternError(f"'\\{char}' at {start} escapes a character that needs no escape")
        return ord(char)

    def _control_letter(self, start: int) -> int:
        letter = self.pattern[self.at : self.at + 1]
        if not (letter.isascii() and letter.isalpha()):
            raise PatternError(f"'\\c' at {start} is followed by no letter")
        self.at += 1
        return ord(letter) % 32

    def _hex(self, start: int) -> int:
        pair = _SURROGATES.match(self.pattern, start)
        if pair:
            self.at = pair.end()
            high, low = int(pair[1], 16), int(pair[2], 16)
            return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
        digits = _HEX.match(self.pattern, start + 1)
        if digits is None:
            raise PatternError(f"the escape at {start} has too few hexadecimal digits")
        self.at = digits.end()
        code = int((digits[1] or digits[2] or digits[3])[-8:], 16)
        if code > LAST_CODE_POINT:
            raise PatternError(f"the escape at {start} is past the last code point, 10FFFF")
        return code

    def _octal(self, start: int) -> int:
        match = _OCTAL.match(self.pattern, start + 1)
        digits = match[0] if match else ""
        alone = digits == "0" and not self.pattern[start + 2 : start + 3].isdecimal()
        if self.unicode and not alone:
            raise PatternError(f"the escape at {start} refers to a group that does not exist")
        if match is None:  # \8 and \9 are themselves
            return ord(self.pattern[start + 1])
        self.at = match.end()
        return int(digits, 8)

    def _numbered(self) -> Back | None:
        match = _NUMBER.match(self.pattern, self.at)
        digits = match[0] if match else ""
        if match is None or len(digits) > len("100000") or int(digits) > self.all_groups:
            return None
        self.at = match.end()
        return Back(int(digits))

    def _named(self) -> Back:
        start = self.at - 1
        match = re.compile(r"k<([^>]*)>").match(self.pattern, self.at)
        if match is None:
            raise PatternError(f"'\\k' at {start} is followed by no name of a group")
        self.at = match.end()
        self._references.append((match[1], start))
        return Back(match[1])

    def _property(self) -> Property:
        start = self.at - 1
        match = _PROPERTY.match(self.pattern, self.at)
        if match is None:
            raise PatternError(f"'\\p' at {start} is followed by no property in braces")
        name, equals, value = match[1].partition("=")
        if equals:
            category = name in {"gc", "General_Category"}
            known = (
                value in GENERAL_CATEGORIES or value in _SHORT
                if category
                else name in {"Script", "sc", "Script_Extensions", "scx"}
                and re.fullmatch("[A-Za-z]+(?:_[A-Za-z]+)*", value) is not None
            )
        else:
            known = name in GENERAL_CATEGORIES or name in _SHORT or name in BINARY_PROPERTIES
        if not known:
            raise PatternError(
                f"'\\p{{{match[1]}}}' at {start} is no property that JavaScript knows"
            )
        self.at = match.end()
        return Property(match[1], negated=match[0][0] == "P")


def _count_groups(pattern: str) -> int:
    """How many groups capture; a first look, in one pass."""
    count, at, in_class = 0, 0, False
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char == "(":
            named = pattern.startswith("?<", at + 1) and pattern[at + 3 : at + 4] not in {"=", "!"}
            count += named or not pattern.startswith("?", at + 1)
        at += 1
    return count
