"""What a report says of the config and of the server's last words."""

from pathlib import Path

from toolproof.config import Config
from toolproof.errors import ServerError
from toolproof.report import Place, Severity


def server_place(config: Config) -> Place | None:
    """Where the config says how the server is reached."""
    found = (
        config.place("server", "command") or config.place("server", "url") or config.place("server")
    )
    return Place(file=found[0], line=found[1]) if found else None


def unsaid_stderr(stderr: str, error: ServerError | None) -> str:
    """The server's last words, where the error does not end with them already."""
    if error is None or not stderr:
        return ""
    last = stderr.rstrip().rpartition("\n")[2]
    return "" if last in str(error) else stderr


def shown_path(config: Config) -> str | None:
    """The config's file as a user would name it from here."""
    if config.path is None:
        return None
    path = config.path.resolve()
    here = Path.cwd().resolve()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)


def threshold(config: Config, fail_on: Severity | str | None) -> Severity | None:
    """The lowest severity that fails: "config" is what the config says, None is none."""
    if fail_on == "config":
        return Severity.WARNING if config.checks.strict else Severity.ERROR
    return Severity(fail_on) if fail_on is not None else None
