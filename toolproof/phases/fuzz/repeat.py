"""The one command line that makes a call again (pure)."""

import json
import os
import shlex
from pathlib import Path
from typing import Any

from toolproof.config import Config
from toolproof.phases.fuzz.generate import ABSENT

_LONGEST = 4_000
"""A longer command is nothing that anybody copies."""


def server_words(config: Config) -> list[str]:
    """The words that choose the server: a file, a URL, or a command after `--`."""
    if config.path is not None:
        words = ["-c", _from_here(config.path)]
        if config.server_alias and config.servers:
            words += ["--server", config.server_alias]
        return words
    if config.server.url:
        return ["--url", config.server.url]
    return ["--", *(config.server.command or ())]


def call_line(tool: str, arguments: Any, config: Config) -> str | None:
    """The `toolproof call` that sends these arguments; None for what it cannot send."""
    if arguments is ABSENT:
        given = ["--no-arguments"]
    elif isinstance(arguments, dict):
        try:
            text = json.dumps(arguments)  # ASCII: what a shell and a terminal keep
        except (ValueError, RecursionError):
            return None
        if len(text) > _LONGEST:
            return None
        given = ["--args", text]
    else:
        return None
    words = ["toolproof", "call", tool, *given, *server_words(config)]
    return " ".join(map(_quoted, words))


def fuzz_line(tool: str, seed: int, examples: int, config: Config) -> str:
    """The `toolproof fuzz` that finds it again, where one call does not show it."""
    words = ["toolproof", "fuzz", "--tool", tool, "--seed", str(seed), "--examples", str(examples)]
    return " ".join(map(_quoted, [*words, *server_words(config)]))


def _quoted(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    return "$'" + word.encode("unicode_escape").decode("ascii").replace("'", "\\'") + "'"


def _from_here(path: Path) -> str:
    try:
        return os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
