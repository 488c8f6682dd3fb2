"""`fuzz`: inputs made from the tools' own schemas."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from toolproof.config.strict import Strict
from toolproof.config.value import Unfit, Value, several
from toolproof.config.values import JSON, Filled, Flag, Milliseconds, PathText, Seconds, whole

MOST_SEED = 2**63 - 1
"""The largest seed: what every language and file format can hold."""


def _workers(given: Any) -> int | str:
    if isinstance(given, str) and str(given) == "auto":
        return "auto"
    workers: int = whole(least=1).read(given)
    return workers


Workers = Annotated[
    int | str,
    Value(
        "auto, or a whole number, 1 or more",
        _workers,
        {"anyOf": [{"const": "auto"}, {"type": "integer", "minimum": 1}]},
    ),
]


def _values(given: Any) -> tuple[Any, ...]:
    if not isinstance(given, list | tuple):
        raise Unfit
    values: tuple[Any, ...] = several(JSON).read(given)
    return values


Tried = Annotated[tuple[Any, ...], Value("a list of values", _values, {"type": "array"})]


class FuzzConfig(Strict):
    """Fuzzing.

    Attributes:
        enabled: Whether it runs.
        max_examples: How many inputs per tool and mode (valid, invalid).
        timeout_ms: After how many milliseconds a call hangs.
        max_time_s: For how many seconds one tool is fuzzed at most.
        seed: Makes a run repeat another; null takes a new one and prints it.
        tools: Only these; `*` and `?` stand for other characters. Naming a tool includes it.
        skip: Not these.
        include_destructive: Whether tools that may destroy something are fuzzed too.
        valid_must_succeed: Whether an error for an input that fits the schema is a finding.
        invalid_must_fail: Whether success for an input that does not fit is a finding.
        workers: How many servers run side by side.
        scratch: Whether servers start in a copy of their folder, thrown away at the end.
        values: Values to try, by the name of the argument.
        corpus: Where inputs that failed are kept for the next run; null keeps none.
    """

    enabled: Flag = True
    max_examples: Annotated[int, whole(least=1)] = 50
    timeout_ms: Milliseconds = 2000
    max_time_s: Seconds = 60
    seed: Annotated[int, whole(least=0, most=MOST_SEED)] | None = None
    tools: tuple[Filled, ...] = ()
    skip: tuple[Filled, ...] = ()
    include_destructive: Flag = False
    valid_must_succeed: Flag = False
    invalid_must_fail: Flag = True
    workers: Workers = "auto"
    scratch: Flag = False
    values: dict[str, Tried] = Field(default_factory=dict)
    corpus: PathText | None = Path(".toolproof/corpus")
