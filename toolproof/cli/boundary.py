"""Where every exception of a command ends: one clear message and an exit code."""

import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click

from toolproof.cli.exit_codes import ExitCode, exit_code
from toolproof.cli.screen import write
from toolproof.errors import ToolproofError

ISSUES = "https://github.com/toolproof/toolproof/issues"


def guarded_main(run: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Run a click program to its end.

    Raises:
        SystemExit: Always, with the exit code; unless the caller asked click not to exit.
    """
    kwargs["standalone_mode"] = False
    code = _run(run, args, kwargs)
    with suppress(BrokenPipeError, ValueError):
        sys.stdout.flush()
    sys.exit(code)


def _run(  # noqa: PLR0911 - one return for each way in which a command ends
    run: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> int:
    try:
        ended = run(*args, **kwargs)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return ExitCode.USAGE
    except click.ClickException as error:
        say_error(error.format_message(), hint=_usage_hint(error))
        return ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        write("\nInterrupted\n", to_stderr=True)
        return 130
    except ToolproofError as error:
        say_error(str(error), hint=error.hint)
        return exit_code(error)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - to the end
        return ExitCode.PASSED
    except Exception as error:  # noqa: BLE001 - the last place that can tell a bug of ours
        say_bug(error)
        return ExitCode.INTERNAL
    return ended if isinstance(ended, int) and not isinstance(ended, bool) else ExitCode.PASSED


def _usage_hint(error: click.ClickException) -> str | None:
    context: click.Context | None = getattr(error, "ctx", None)
    if context is None:
        return None
    option = error.option_name if isinstance(error, click.NoSuchOption) else None
    if option and context.parent is not None:
        for param in context.parent.command.params:
            if option in param.opts and isinstance(param, click.Option):
                value = "" if param.is_flag or param.count else f" {(param.name or '').upper()}"
                words = f"toolproof {option}{value} {context.info_name}"
                return f"It goes before the command: `{words}`."
    return f"See `{context.command_path} --help`."


def say_error(message: str, *, hint: str | None = None) -> None:
    """One message on stderr, with what to do about it."""
    write(f"Error: {message}\n", to_stderr=True)
    if hint:
        write(f"Hint: {hint}\n", to_stderr=True)


def say_bug(error: BaseException) -> None:
    """A fault of toolproof itself, whole, and where to report it."""
    write("".join(traceback.format_exception(error)), to_stderr=True)
    write(
        "Error: this is a bug in toolproof, not in your server\n"
        f"Hint: Report the lines above at {ISSUES}, with the output of `toolproof --version`.\n",
        to_stderr=True,
    )
