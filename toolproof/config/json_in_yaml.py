"""What JSON allows in texts and YAML does not: escaped surrogates, and some raw characters."""

import re

_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\u([dD][89a-fA-F][0-9a-fA-F]{2})")
_STAND_IN_ESCAPE = re.compile(r"\\U0010(F[89A-F][0-9A-F]{2})")
_STAND_IN = re.compile("[\U0010f800-\U0010ffff]+")
_RAW = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_FIRST_STAND_IN = 0x10F800  # private use: one for each of the 2,048 surrogates
_FIRST_SURROGATE = 0xD800


class ForYaml:
    """A text with stand-ins for what a YAML parser would refuse, and the way back.

    Attributes:
        text: The text that a YAML parser can read.
    """

    def __init__(self, text: str) -> None:
        if text.lstrip().startswith("{"):  # JSON, so such a character can only be in a text
            text = _RAW.sub(lambda raw: f"\\u{ord(raw[0]):04x}", text)
        self.text, self._count = _ESCAPE.subn(_stand_in, text)

    def restored(self, value: str, *, quoted: bool) -> str:
        """A scalar with its surrogates back; pairs become the character that they stand for.

        Args:
            value: What the parser read.
            quoted: Whether it stood in double quotes, where escapes mean something.
        """
        if not self._count:
            return value
        if quoted:
            return _STAND_IN.sub(_surrogates, value)
        return _STAND_IN_ESCAPE.sub(_escape, value)


def _stand_in(escape: re.Match[str]) -> str:
    code = int(escape[2], 16) - _FIRST_SURROGATE + _FIRST_STAND_IN
    return f"{escape[1]}\\U{code:08X}"


def _escape(stand_in: re.Match[str]) -> str:
    code = int(f"10{stand_in[1]}", 16) - _FIRST_STAND_IN + _FIRST_SURROGATE
    return f"\\u{code:04x}"


def _surrogates(stand_ins: re.Match[str]) -> str:
    shift = _FIRST_STAND_IN - _FIRST_SURROGATE
    text = "".join(chr(ord(character) - shift) for character in stand_ins[0])
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
