"""`checks`: the static checks."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from toolproof.config.strict import Strict
from toolproof.config.value import choice
from toolproof.config.values import Filled, Flag, Text, whole

CLIENTS = ("claude", "openai", "gemini", "vscode", "cursor", "strict")
"""The client profiles."""


class Ignore(Strict):
    """What not to report; a string stands for a rule on every tool.

    Attributes:
        rule: The id of a rule, or a check: then it stands for all rules of that family.
        tool: On which tools; `*` and `?` stand for other characters, as in file names.
        reason: Why, for whoever reads the file.
    """

    SHORT_FORM: ClassVar[Mapping[str, Any] | None] = {"type": "string", "minLength": 1}

    rule: Filled
    tool: Filled = "*"
    reason: Text | None = None

    @classmethod
    def long_form(cls, given: Any) -> Any:
        return {"rule": given} if isinstance(given, str) else given


class ChecksConfig(Strict):
    """The static checks.

    Attributes:
        enabled: Whether they run.
        max_description_length: Above how many characters a tool's description is too long.
        strict: Whether warnings fail the run.
        clients: Profiles whose warnings become errors.
        ignore: What not to report.
        max_tokens: Budget of the whole tool list, in tokens; the rule's own if null.
    """

    enabled: Flag = True
    max_description_length: Annotated[int, whole("characters", least=1)] = 1024
    strict: Flag = False
    clients: tuple[Annotated[str, choice(*CLIENTS)], ...] = ()
    ignore: tuple[Ignore, ...] = ()
    max_tokens: Annotated[int, whole("tokens", least=1)] | None = None
