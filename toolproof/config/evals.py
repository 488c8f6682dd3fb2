"""`evals`: does a model pick the right tool."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from toolproof.config.matchers import ArgMatcher
from toolproof.config.mistakes import Mistake
from toolproof.config.server import Command, Url
from toolproof.config.strict import Strict
from toolproof.config.value import choice
from toolproof.config.values import (
    Filled,
    Flag,
    JsonObject,
    OneOrMoreTexts,
    PathText,
    Seconds,
    Share,
    Text,
    number,
    whole,
)

PROVIDERS = ("anthropic", "openai", "command")
"""Who is asked: two kinds of API, or a program."""


class EvalCase(Strict):
    """What a model shall do with a prompt.

    Attributes:
        prompt: What the model is asked; several, if they all shall lead to the same.
        name: What reports call it; the prompt if not set.
        expect_tool: The tool to pick; null: none at all.
        expect_args: What its arguments must be like; others are free.
        forbid_tools: Tools that must not be picked.
        acceptable_tools: Tools that are right as well.
    """

    prompt: OneOrMoreTexts
    name: Filled | None = None
    expect_tool: Filled | None = None
    expect_args: dict[str, ArgMatcher] | None = None
    forbid_tools: tuple[Filled, ...] = ()
    acceptable_tools: tuple[Filled, ...] = ()

    @property
    def expects_none(self) -> bool:
        """Whether the model shall call no tool: `expect_tool: null` was written."""
        return self.expect_tool is None and "expect_tool" in self.model_fields_set

    @classmethod
    def together(cls, given: Mapping[str, Any]) -> Iterator[Mistake]:
        if not given.get("prompt"):
            yield Mistake(("prompt",), "it is needed")
        says = ("expect_tool", "forbid_tools", "acceptable_tools")
        if not any(key in given for key in says):
            yield Mistake((), "it expects nothing: set 'expect_tool' (null: no tool at all)")
        if given.get("expect_args") and given.get("expect_tool") is None:
            yield Mistake(("expect_args",), "it goes with 'expect_tool'")


class EvalsConfig(Strict):
    """The evals.

    Attributes:
        enabled: Whether they run.
        provider: Who is asked: anthropic, openai (or what speaks like it), or a program.
        model: The model's name, as its provider spells it.
        base_url: Where the API is, if not at the provider's own address.
        command: The program: it reads JSON from stdin and writes JSON to stdout.
        system: The system prompt.
        params: Further parameters of the API, such as temperature.
        min_accuracy: The least share of cases that must be right.
        min_accuracy_lower: The least lower bound of the interval of that share.
        repeat: How often each case is asked.
        shuffle: Whether the tools come in another order each time.
        distractors: How many tools of other servers are put among them.
        cache: Whether answers are kept and used again.
        cache_dir: Where they are kept.
        timeout_s: For how many seconds an answer may take.
        max_cost_usd: What all calls may cost, in US dollars.
        cases: The prompts.
    """

    enabled: Flag = True
    provider: Annotated[str, choice(*PROVIDERS)] | None = None
    model: Filled | None = None
    base_url: Url | None = None
    command: Command | None = None
    system: Text | None = None
    params: JsonObject = Field(default_factory=dict)
    min_accuracy: Share = 1.0
    min_accuracy_lower: Share | None = None
    repeat: Annotated[int, whole(least=1)] = 1
    shuffle: Flag = False
    distractors: Annotated[int, whole(least=0)] = 0
    cache: Flag = True
    cache_dir: PathText = Path(".toolproof/cache")
    timeout_s: Seconds = 120
    max_cost_usd: Annotated[float, number("US dollars", above=0)] | None = None
    cases: tuple[EvalCase, ...] = ()

    @classmethod
    def together(cls, given: Mapping[str, Any]) -> Iterator[Mistake]:
        provider = given.get("provider")
        if given.get("enabled") is False:
            return
        if provider is None:
            yield Mistake(("provider",), "it is needed: anthropic, openai or command")
        if provider == "command" and not given.get("command"):
            yield Mistake(("command",), "it is needed: the program that answers")
        if provider in ("anthropic", "openai") and not given.get("model"):
            yield Mistake(("model",), "it is needed: the name of the model to ask")
        if not given.get("cases"):
            yield Mistake(("cases",), "it is needed: the prompts to ask")
