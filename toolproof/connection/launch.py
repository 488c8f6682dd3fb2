"""What to start, where, and with which variables: from a config to an argv that can be run."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from toolproof.errors import ServerError
from toolproof.records import record
from toolproof.text import nearest

MARK = "TOOLPROOF_OWNER"
"""The variable that finds what a server started, wherever it went (`wire.md`, section 2)."""

_POSIX = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")
_WINDOWS = (
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
)
INHERITED = _WINDOWS if sys.platform == "win32" else _POSIX
"""What a server gets of our environment: no more than clients built on the official SDKs pass."""
_USUAL = ("node", "npm", "npx", "python", "python3", "uv", "uvx", "docker", "deno", "bun", "go")


@record
class Launch:
    """A command that was found.

    Attributes:
        argv: The program's full path, and its arguments.
        env: All variables that it gets, but for the mark.
        label: The command as it was configured, for messages.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path
    label: str


def launch(
    command: Sequence[str], env: Mapping[str, str], cwd: Path, base_dir: Path | None = None
) -> Launch:
    """Find the command in the environment that it will get.

    Args:
        command: Program and arguments. A relative path of a program starts from `base_dir`.
        env: Variables over the few that are inherited.
        cwd: Where it runs; a relative one starts from `base_dir`.
        base_dir: The current directory if not given.

    Raises:
        ServerError: It names the word that is wrong.
    """
    base_dir = (base_dir or Path()).absolute()
    label = " ".join(command)
    if not command or not command[0].strip():
        raise ServerError("the command is empty", hint="Set server.command.")
    for word in (*command, *env, *env.values()):
        if "\0" in word:
            raise ServerError(f"{word!r} holds a NUL character", where=label)
    where = base_dir / cwd
    if not where.is_dir():
        what = "is not a directory" if where.exists() else "does not exist"
        raise ServerError(f'cwd "{where}" {what}', where=label, hint="Correct server.cwd.")
    full = inherited() | dict(env)
    program = _program(command[0], full, where, base_dir, label)
    return Launch((program, *command[1:]), full, where, label)


def inherited() -> dict[str, str]:
    """The variables that every server gets, as far as we have them ourselves."""
    return {name: os.environ[name] for name in INHERITED if name in os.environ}


def _program(word: str, env: Mapping[str, str], cwd: Path, base_dir: Path, label: str) -> str:
    if os.sep in word or (os.altsep and os.altsep in word):
        places = [base_dir / word, cwd / word]
        path = next((place for place in places if place.exists()), places[0])
        _must_run(path, word, label)
        return str(path)
    found = shutil.which(word, path=env.get("PATH", os.defpath))
    if found is None:
        raise ServerError(
            f'"{word}" was not found in the PATH that the server gets',
            where=label,
            hint=_not_found_hint(word, base_dir, env),
        )
    return str(Path(found).absolute())


def _must_run(path: Path, word: str, label: str) -> None:
    if not path.exists():
        hint = "Give its full path, or one from the config's folder."
        if word.startswith("~") or "$" in word:
            hint = "There is no shell that would expand it: write the path out."
        raise ServerError(f'"{word}" does not exist', where=label, hint=hint)
    if path.is_dir():
        raise ServerError(f'"{word}" is a directory', where=label, hint="Name the program in it.")
    if not os.access(path, os.X_OK):
        hint = f'Make it executable (chmod +x "{word}"), or put its interpreter before it.'
        raise ServerError(f'"{word}" is not executable', where=label, hint=hint)


def _not_found_hint(word: str, base_dir: Path, env: Mapping[str, str]) -> str:
    if (base_dir / word).is_file():
        return f'Write "./{word}" for the file in this folder.'
    if any(blank in word for blank in " \t"):
        return "Give the program and each argument as a word of its own."
    meant = nearest(word, _USUAL)
    if meant and meant != word:
        return f'Did you mean "{meant}"?'
    if "PATH" in env and env["PATH"] != os.environ.get("PATH"):
        return "server.env sets another PATH: add the folder of the program to it."
    return "Install it, or give its full path."
