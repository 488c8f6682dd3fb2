"""Regular expressions that are compiled when they are first used.

Compiling the large ones takes milliseconds each, and most runs need few of them: `toolproof inspect`
of a good server reads no stack trace.
"""

import re
from typing import Any, cast


class _Later:
    """Stands for a pattern until something is asked of it."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # What was asked for once stands in the instance from then on, and costs no call again.
        value = self.__dict__[name] = getattr(re.compile(self._text, self._flags), name)
        return value


def later(text: str, flags: int = 0) -> re.Pattern[str]:
    """The compiled pattern, as far as anyone can tell by its methods.

    Args:
        text: A regular expression that is known to be one: a mistake shows at its first use.
        flags: As for `re.compile`.
    """
    return cast("re.Pattern[str]", _Later(text, flags))
