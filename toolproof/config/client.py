"""`client`: what is answered when a server asks its client."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from toolproof.config.mistakes import Mistake
from toolproof.config.strict import Strict
from toolproof.config.values import Filled, JsonObject, PathText, Text


class SamplingAnswer(Strict):
    """One scripted answer to sampling/createMessage. The first that fits is given.

    Attributes:
        when: Text that must stand in the messages of the request; without it, any fits.
        text: The answer, as text.
        content: The answer as a content block of MCP, in place of text.
        role: Who speaks.
        model: The model that is named.
        stop_reason: Why the answer ends.
    """

    SHORT_FORM: ClassVar[Mapping[str, Any] | None] = {"type": "string"}

    when: Filled | None = None
    text: Text | None = None
    content: JsonObject | None = None
    role: Filled = "assistant"
    model: Filled = "scripted"
    stop_reason: Filled = "endTurn"

    @classmethod
    def long_form(cls, given: Any) -> Any:
        return {"text": given} if isinstance(given, str) else given

    @classmethod
    def together(cls, given: Mapping[str, Any]) -> Iterator[Mistake]:
        if (given.get("text") is None) == (given.get("content") is None):
            yield Mistake((), "set either 'text' or 'content'")

    @property
    def block(self) -> dict[str, Any]:
        """The content of the answer as MCP has it."""
        return self.content or {"type": "text", "text": self.text or ""}


class Elicitation(Strict):
    """The answer to elicitation/create.

    Attributes:
        accept: What is filled into the form, where it fits; else the form is declined.
    """

    accept: JsonObject


class ClientConfig(Strict):
    """What is answered when a server asks its client, in tests, bench and fuzz.

    Each key declares its capability; what is not declared is refused.

    Attributes:
        roots: Folders that the server may see, from the folder of the file.
        sampling: Scripted answers in place of a model's.
        elicitation: The answer to a form.
    """

    roots: tuple[PathText, ...] | None = None
    sampling: tuple[SamplingAnswer, ...] | None = None
    elicitation: Elicitation | None = None
