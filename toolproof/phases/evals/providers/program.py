"""Provider `command`: a program that reads a question as JSON from stdin and writes the answer to stdout.

in   {"version": 1, "model": ..., "system": ..., "params": {...}, "prompt": "...", "repeat": 0,
      "tools": [{"name", "description", "inputSchema"}]}
out  {"calls": [{"name": "...", "arguments": {...}}], "text": "...",
      "usage": {"input_tokens": 1, "output_tokens": 1}, "cost_usd": 0.001}
"""

import json
import subprocess
from pathlib import Path
from typing import Any

import anyio

from toolproof.config import EvalsConfig
from toolproof.phases.evals.providers.provider import Pick, ProviderError, Question, Reply
from toolproof.text import shorten

ANSWER_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "What a program writes to stdout as the provider `command` of evals",
    "type": "object",
    "properties": {
        "calls": {
            "description": "The tools that the model picked; none at all is an answer too.",
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "arguments": {"type": "object"},
                },
                "required": ["name"],
            },
        },
        "text": {"description": "What the model said besides.", "type": "string"},
        "usage": {
            "type": "object",
            "properties": {
                "input_tokens": {"type": "integer", "minimum": 0},
                "output_tokens": {"type": "integer", "minimum": 0},
            },
        },
        "cost_usd": {"description": "What the answer cost.", "type": "number", "minimum": 0},
        "refused": {"description": "The model declined to answer.", "type": "boolean"},
        "error": {
            "description": "Why there is no answer; the case then counts as unanswered.",
            "type": "string",
        },
    },
    "required": ["calls"],
}
"""Of stdout; `toolproof schema eval-command` prints it."""


class ProgramProvider:
    """Asks a program, started anew for each question."""

    name = "command"
    most_output_tokens = 0

    def __init__(self, config: EvalsConfig, folder: Path) -> None:
        self._config = config
        self._folder = folder

    async def ask(self, question: Question) -> Reply:
        """The program's answer.

        Raises:
            ProviderError: There is none, or it is not as `ANSWER_SCHEMA` says.
        """
        config = self._config
        command = list(config.command or ())
        request = {
            "version": 1,
            "model": config.model,
            "system": config.system,
            "params": config.params,
            "prompt": question.prompt,
            "repeat": question.repeat,
            "tools": list(question.tools),
        }
        try:
            with anyio.fail_after(config.timeout_s):
                done = await anyio.run_process(
                    command,
                    input=json.dumps(request).encode(errors="backslashreplace"),
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    check=False,
                    cwd=self._folder,
                )
        except TimeoutError as exc:
            words = f"{command[0]} gave no answer within {config.timeout_s:g} s"
            raise ProviderError(words) from exc
        except OSError as exc:
            raise ProviderError(
                f"{command[0]} cannot be started: {exc.strerror or exc}",
                hint="Check evals.command.",
                fatal=True,
            ) from exc
        if done.returncode != 0:
            last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise ProviderError(
                f"{command[0]} ended with {done.returncode}: {shorten(last, 300) or 'nothing on stderr'}"
            )
        return read_answer(done.stdout)

    async def close(self) -> None:
        """Nothing is kept open."""


def read_answer(data: bytes) -> Reply:
    """The answer in what a program wrote.

    Raises:
        ProviderError: It is not as `ANSWER_SCHEMA` says.
    """
    from toolproof.schemas import Validator

    shown = shorten(data.decode(errors="replace").strip(), 200)
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as exc:
        raise ProviderError(f"expected one JSON object on stdout, got {shown!r}") from exc
    if isinstance(found, dict) and isinstance(found.get("error"), str):
        raise ProviderError(found["error"])
    for breach in Validator(ANSWER_SCHEMA).breaches(found):
        where = f"at {breach.pointer}: " if breach.pointer else ""
        raise ProviderError(f"the answer is not as it should be: {where}{breach.message}")
    usage = found.get("usage", {})
    return Reply(
        picks=[
            Pick(tool=call["name"], arguments=call.get("arguments", {})) for call in found["calls"]
        ],
        text=found.get("text", ""),
        input_tokens=usage.get("input_tokens"),
        output_tokens=usage.get("output_tokens"),
        cost_usd=found.get("cost_usd"),
        refused=found.get("refused", False),
    )
