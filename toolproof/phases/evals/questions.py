"""Which questions a section of evals comes to, in which order of tools."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from toolproof.config import EvalCase, EvalsConfig
from toolproof.phases.evals.convert import Converted, converted
from toolproof.phases.evals.distractors import DISTRACTORS
from toolproof.phases.evals.providers.provider import Question
from toolproof.records import record
from toolproof.report import Note, Tool


@record(kw_only=True)
class Asked:
    """One question of one case."""

    case: int
    question: Question


def questions(
    config: EvalsConfig,
    sent: Converted,
    seed: int,
    wanted: Callable[[EvalCase], bool] = lambda _: True,
) -> Iterator[Asked]:
    """Every prompt of every wanted case, `repeat` times; all with the same tools.

    With `shuffle` the tools come in another order for each repetition: the seed and the number of
    the repetition decide, so that the cache finds them again. The first keeps the server's order.
    """
    for number, case in enumerate(config.cases):
        for prompt in prompts_of(case) if wanted(case) else ():
            for repeat in range(config.repeat):
                tools = list(sent.tools)
                if config.shuffle and repeat:
                    random.Random(f"{seed} {repeat}").shuffle(tools)  # noqa: S311 - an order, no secret
                yield Asked(
                    case=number, question=Question(prompt=prompt, tools=tools, repeat=repeat)
                )


def prompts_of(case: EvalCase) -> Sequence[str]:
    """The prompts of a case: one or several."""
    return list(case.prompt)


def tools_to_send(config: EvalsConfig, tools: Sequence[Tool]) -> Converted:
    """The server's tools and the distractors that were asked for, in the provider's format."""
    taken = {tool.name for tool in tools}
    extra = [one for one in DISTRACTORS if one["name"] not in taken][: config.distractors]
    everything = [*tools, *(Tool(raw, len(tools) + i) for i, raw in enumerate(extra))]
    return converted(everything, config.provider or "command")


def warnings_about(config: EvalsConfig, tools: Sequence[Tool]) -> Iterator[Note]:
    """What makes a case say less than it seems to, or nothing at all."""
    names = {tool.name for tool in tools if tool.name}
    for case in config.cases:
        for prompt in prompts_of(case):
            told = [name for name in sorted(names) if len(name) > 3 and _says(prompt, name)]
            if told:
                yield Note(
                    f"eval {label(case)!r}: the prompt holds the tool's name {told[0]!r}, "
                    "so it does not test whether a model finds it"
                )
        wanted: Mapping[str, Any] = {
            name: None
            for name in (case.expect_tool, *case.acceptable_tools, *case.forbid_tools)
            if name is not None and name not in names
        }
        for name in wanted:
            yield Note(f"eval {label(case)!r}: the server lists no tool {name!r}")


def _says(prompt: str, name: str) -> bool:
    """Whether the name stands in it as a word: "sometimes" does not say "time"."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", prompt, re.IGNORECASE) is not None


def label(case: EvalCase) -> str:
    """What reports call a case: its name, else its first prompt."""
    return case.name or prompts_of(case)[0]
