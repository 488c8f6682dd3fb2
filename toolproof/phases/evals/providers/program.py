"""Provider `command`: a program that reads a question as JSON from stdin and writes the answer to stdout.

in   {"version": 1, "model": ..., "system": ..., "params": {...}, "prompt": "...", "repeat": 0,
      "tools": [{"name", "description", "inputSchema"}]}
out  {"calls": [{"name": "...", "arguments": {...}}], "text": "...",
      "usage": {"input_tokens": 1, "output_tokens": 1}, "cost_usd": 0.001}
"""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from contextlib import suppress
from pathlib import Path
from typing import Any

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


_KILLED_S = 2.0
"""So long the end of a killed program is waited for."""


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
        data = json.dumps(request).encode(errors="backslashreplace")
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                cwd=self._folder,
                start_new_session=True,
            )
        except (OSError, ValueError) as exc:
            raise ProviderError(
                f"{command[0]} cannot be started: {getattr(exc, 'strerror', None) or exc}",
                hint="Check evals.command.",
                fatal=True,
            ) from exc
        try:
            async with asyncio.timeout(config.timeout_s):
                out, err = await process.communicate(data)  # it need not read what it is asked
        except TimeoutError as exc:
            words = f"{command[0]} gave no answer within {config.timeout_s:g} s"
            raise ProviderError(words) from exc
        finally:
            await _end(process)
        if process.returncode != 0:
            last = err.decode(errors="replace").strip().rpartition("\n")[2]
            raise ProviderError(
                f"{command[0]} ended with {process.returncode}: "
                f"{shorten(last, 300) or 'nothing on stderr'}"
            )
        return read_answer(out)

    async def close(self) -> None:
        """Nothing is kept open."""


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill what is still running, with all that it started."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    with suppress(TimeoutError):
        async with asyncio.timeout(_KILLED_S):
            await process.wait()


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
