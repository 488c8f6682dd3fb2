"""Where reports go: a `--NAME PATH` flag for each reporter, the screen, annotations, CI's outputs."""

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from toolproof.cli.boundary import say_bug, say_error
from toolproof.cli.exit_codes import ExitCode
from toolproof.cli.screen import Screen, write
from toolproof.errors import ConfigError, ServerError, ToolproofError
from toolproof.records import record
from toolproof.report import AnyReport, ErrorKind, Place
from toolproof.reporters.reporter import Reporter

_Command = TypeVar("_Command", bound=Callable[..., Any])
STDOUT = "-"
MOST_SUMMARY_BYTES = 900_000
"""GitHub drops a step's whole summary at one byte over 1,048,576 (reports.md, section 8)."""
OFF = "off"


def output_options(command: _Command) -> _Command:
    """Add the options that say where reports go."""
    from toolproof.reporters import REPORTERS

    extra = (
        click.option(
            "--annotations",
            type=click.Choice(["auto", "github", "azure", "off"]),
            default="auto",
            show_default=True,
            help="Marks on the lines of a pull request; auto: where a CI that shows them runs this.",
        ),
        click.option(
            "--max-annotations",
            type=click.IntRange(0, 10),
            default=10,
            show_default=True,
            metavar="N",
            help="At most N annotations of each severity.",
        ),
        click.option("--summary-title", help="Words before the heading of the summary."),
        click.option(
            "--junit-strict",
            is_flag=True,
            help="JUnit that is valid by both published schemas: fewer attributes.",
        ),
    )
    for option in reversed(extra):
        command = option(command)
    for reporter in reversed(REPORTERS):
        option = click.option(
            f"--{reporter.name}",
            f"path_{reporter.name}",
            metavar="PATH",
            help=f"{reporter.help} '-' is stdout."
            + (
                f" Default in a job: ${reporter.variable}; 'off' for none."
                if reporter.variable
                else ""
            ),
        )
        command = option(command)
    return command


@record(kw_only=True)
class Outputs:
    """What a command was asked to write.

    Attributes:
        paths: By reporter; "-" is stdout.
        annotations: github, azure or off.
    """

    screen: Screen
    paths: Mapping[str, str]
    annotations: str = OFF
    max_annotations: int = 10
    summary_title: str | None = None
    junit_strict: bool = False
    silent: bool = False

    @staticmethod
    def of(ctx: click.Context, flags: dict[str, Any]) -> "Outputs":
        """Take the output options out of a command's flags.

        Raises:
            ConfigError: A path cannot be written.
        """
        from toolproof.reporters import REPORTERS

        paths: dict[str, str] = {}
        for reporter in REPORTERS:
            path = flags.pop(f"path_{reporter.name}")
            if path is None and reporter.variable and _in_job():
                path = os.environ.get(reporter.variable)
            if path and not (path == OFF and reporter.variable):
                paths[reporter.name] = path
        if sum(path == STDOUT for path in paths.values()) > 1:
            raise click.UsageError("only one report can go to stdout", ctx)
        outputs = Outputs(
            screen=ctx.obj,
            paths=paths,
            annotations=_annotations(flags.pop("annotations")),
            max_annotations=flags.pop("max_annotations"),
            summary_title=flags.pop("summary_title"),
            junit_strict=flags.pop("junit_strict"),
        )
        for name, path in paths.items():
            if path != STDOUT:
                must_be_writable(name, Path(path))
        return outputs

    def absolute(self) -> "Outputs":
        """The same, with paths that do not depend on the current folder."""
        return replace(
            self,
            paths={
                name: path if path == STDOUT else str(Path(path).absolute())
                for name, path in self.paths.items()
            },
        )

    def silently(self) -> "Outputs":
        """The same, with nothing on the screen: stdout holds something else."""
        return replace(self, silent=True)

    def finish(self, report: AnyReport) -> int:
        """Show the report and write it in every format that was asked for.

        Returns:
            The exit code.
        """
        if not self.silent:
            self._show(report)
        code = report.exit_code
        for name, path in self.paths.items():
            try:
                text = self._render(name, report)
            except Exception as error:  # noqa: BLE001 - a bug in one format must not cost the others
                say_bug(error)
                code = ExitCode.INTERNAL
                continue
            if path == STDOUT:
                write(text)
                continue
            try:
                write_file(Path(path), text, append=_reporter(name).appends)
            except OSError as exc:
                say_error(f"--{name}: {path} cannot be written: {exc.strerror}")
                code = max(code, 2)
        self._annotate(report)
        self._tell_github(report)
        return code

    def _show(self, report: AnyReport) -> None:
        from toolproof.reporters import console

        screen = self.screen
        to_stderr = STDOUT in self.paths.values()
        text = console.render(
            report,
            terminal=screen.terminal and not to_stderr,
            color=screen.color and (not to_stderr or sys.stderr.isatty()),
            width=screen.width,
            verbose=screen.verbose,
            ascii=screen.ascii,
            folds=_in_job(),
        )
        write(text, to_stderr=to_stderr)

    def _render(self, name: str, report: AnyReport) -> str:
        more: dict[str, Any] = {}
        if name == "junit":
            more = {"strict": self.junit_strict}
        elif name == "summary":
            taken = 0
            with suppress(OSError):
                taken = Path(self.paths[name]).stat().st_size
            room = max(0, MOST_SUMMARY_BYTES - taken)
            more = {"title": self.summary_title or "", "most_bytes": room}
        return _reporter(name).render(report, **more)

    def _annotate(self, report: AnyReport) -> None:
        if self.silent or self.annotations == OFF or STDOUT in self.paths.values():
            return
        from toolproof.finish.places import workspace
        from toolproof.reporters import annotations

        text = annotations.render(
            report,
            flavour="azure" if self.annotations == "azure" else "github",
            max_annotations=self.max_annotations,
            workspace=str(workspace()),
        )
        write(text)

    def _tell_github(self, report: AnyReport) -> None:
        """Append the outputs of the step (reports.md, section 13)."""
        path = os.environ.get("GITHUB_OUTPUT")
        if not path or os.environ.get("GITHUB_ACTIONS") != "true":
            return
        from toolproof.reporters.github_output import github_output

        passing = (STDOUT, os.environ.get("GITHUB_STEP_SUMMARY"))  # neither can be read later
        written = {
            name: "" if path in passing else _relative(path) for name, path in self.paths.items()
        }
        with suppress(OSError):
            write_file(Path(path), github_output(report, written), append=True)


def guarded(make: Callable[[], AnyReport]) -> AnyReport:
    """The report that `make` gives; what it raises becomes a report too, so that files are written."""
    from toolproof.runner import failed_report

    try:
        return make()
    except ConfigError as error:
        place = Place(file=error.file, line=error.line) if error.file and error.line else None
        return failed_report(error, ErrorKind.CONFIG, place=place, hint=error.hint)
    except (ServerError, ToolproofError) as error:
        return failed_report(error, ErrorKind.SERVER, hint=error.hint)
    except click.UsageError as error:  # the options could be read, so there are reports of it
        hint = f"See `{error.ctx.command_path} --help`." if error.ctx else None
        return failed_report(ConfigError(error.format_message()), ErrorKind.CONFIG, hint=hint)
    except (click.ClickException, click.exceptions.Exit, KeyboardInterrupt):
        raise
    except Exception as error:  # noqa: BLE001 - a bug of ours still leaves its reports
        say_bug(error)
        return failed_report(error, ErrorKind.INTERNAL, hint="Report it: see the lines above.")


def _reporter(name: str) -> Reporter:
    from toolproof.reporters import REPORTERS

    return next(reporter for reporter in REPORTERS if reporter.name == name)


def _annotations(wanted: str) -> str:
    if wanted != "auto":
        return wanted
    if _in_job():
        return "github"
    return "azure" if os.environ.get("TF_BUILD") else OFF


def _in_job() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def must_be_writable(name: str, path: Path) -> None:
    """Find out before the server is started.

    Raises:
        ConfigError: The file cannot be written there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        if path.exists():
            with path.open("a", encoding="utf-8"):
                pass
        else:
            with tempfile.NamedTemporaryFile(dir=path.parent):
                pass
    except OSError as exc:
        raise ConfigError(
            f"--{name}: {path} cannot be written: {exc.strerror or exc}",
            hint="Give a path in a folder that you may write to.",
        ) from exc


def write_file(path: Path, text: str, *, append: bool = False) -> None:
    """Append, or replace the whole file at once, so that nobody reads a half of it."""
    data = text.encode("utf-8", errors="backslashreplace")
    path.parent.mkdir(parents=True, exist_ok=True)
    if append or (path.exists() and not path.is_file()):  # /dev/stderr and the like
        with path.open("ab") as file:
            file.write(data)
        return
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)  # as any file; mkstemp's is its owner's alone
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def _relative(path: str) -> str:
    """A path from the workspace, with `/`."""
    root = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd())
    try:
        return Path(path).resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return Path(path).as_posix()
