"""`toolproof baseline`: write down the problems that there are, with a reason."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import click

from toolproof.cli.known import is_live
from toolproof.cli.options import (
    ServerCommand,
    choose_config,
    debug_option,
    server_options,
    wait_option,
)
from toolproof.cli.outputs import Outputs, guarded, must_be_writable, write_file
from toolproof.cli.screen import write
from toolproof.cli.work import Work
from toolproof.errors import ConfigError
from toolproof.report import AnyReport, Severity

EPILOG = """\b
Examples:
  toolproof baseline --reason "waits for SDK 3" --expires 2027-01-31
  toolproof run --baseline toolproof-baseline.yaml
  toolproof baseline --prune
  toolproof baseline --from report.json --reason "as it was in May" """


def _day(ctx: click.Context, param: click.Parameter, value: str | None) -> date | None:
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        words = f"expected a day such as 2027-01-31, got {value!r}"
        raise click.BadParameter(words, ctx, param) from None


@click.command(cls=ServerCommand, epilog=EPILOG)
@click.argument(
    "config_argument", metavar="[CONFIG]", required=False, type=click.Path(path_type=Path)
)
@server_options
@click.option(
    "--reason", metavar="TEXT", help="Why new entries may pass; needed where there are any."
)
@click.option(
    "--expires",
    metavar="DAY",
    callback=_day,
    help="The last day on which new entries pass, as 2027-01-31.",
)
@click.option("--prune", is_flag=True, help="Take out entries whose problems are gone.")
@click.option(
    "--from",
    "sources",
    multiple=True,
    metavar="REPORT.json",
    type=click.Path(path_type=Path),
    help="Take the problems from this report, and run nothing. Repeatable, for shards and servers.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The file.  [default: toolproof-baseline.yaml]",
)
@click.option(
    "--severity",
    type=click.Choice(["error", "warning", "info"]),
    default="warning",
    show_default=True,
    help="The lowest severity that gets an entry.",
)
@click.option("--phases", help="Run just these, by comma.")
@click.option("--seed", type=int, help="For random choices.  [default: drawn]")
@debug_option
@wait_option
@click.pass_context
def baseline(ctx: click.Context, /, config_argument: Path | None, **flags: Any) -> None:
    """Write the problems that there are into toolproof-baseline.yaml, so that later runs let them pass.

    Runs what CONFIG asks for. Entries that are there already keep their reasons; `run --baseline`
    fails on what is new, and on entries whose problems are gone.
    """
    from toolproof.finish.baseline_file import NAME

    if config_argument is not None:
        if flags["config_path"] is not None:
            raise click.UsageError("CONFIG and -c name a file each: give one", ctx)
        flags["config_path"] = config_argument
    path = flags["output"] or Path(NAME)
    must_be_writable("output", path)
    old = _old(path)
    report = _report(ctx, flags)
    if report.exit_code not in (0, 1):
        if not flags["sources"]:
            ctx.exit(Outputs(screen=ctx.obj, paths={}).finish(report))
        raise ConfigError(
            f"the run in it ended with exit code {report.exit_code}: what it did not judge is unknown",
            where=", ".join(map(str, flags["sources"])),
            hint="Give the report of a run that came to its end.",
        )
    _write(path, report, old, flags)


def _old(path: Path) -> Any:
    """The baseline that is there; an empty one where there is none."""
    from toolproof.finish.baseline import Baseline
    from toolproof.finish.baseline_file import read_baseline

    if not path.exists():
        return Baseline(name=path.name)
    found = read_baseline(path)
    if not found.ratchet:
        raise ConfigError(
            "this is a JSON report, and would be written over",
            where=str(path),
            hint="Read it with --from, and give --output another file.",
        )
    return found


def _report(ctx: click.Context, flags: dict[str, Any]) -> AnyReport:
    """What there is: of the given reports, else of a run."""
    from toolproof.finish.merge import merged
    from toolproof.finish.reading import read_report

    if flags["sources"]:
        return merged([read_report(path) for path in flags["sources"]], allow_missing=True)
    work = Work(ctx, Outputs(screen=ctx.obj, paths={}), {**flags, "server": None})

    def make() -> AnyReport:
        config = choose_config(ctx, {}, **flags)
        names = flags["phases"]
        phases = [part.strip() for part in names.split(",") if part.strip()] if names else None
        return work.execute_all(config, phases=phases, fail_on=Severity.ERROR)

    return guarded(make)


def _write(path: Path, report: AnyReport, old: Any, flags: dict[str, Any]) -> None:
    """Put the entries together, write them, and say what became of them.

    Raises:
        ConfigError: There are new ones, and no reason.
    """
    from toolproof.finish.baseline_file import baseline_text
    from toolproof.finish.rewrite import rewritten

    made = rewritten(
        report,
        old,
        reason=(flags["reason"] or "").strip(),
        expires=flags["expires"],
        today=datetime.now(UTC).date(),
        least=Severity(flags["severity"]),
        prune=flags["prune"],
        live=is_live,
    )
    if made.nameless and not flags["prune"]:
        raise ConfigError(
            f"{made.told_nameless} no entry yet, and there is no reason why they may pass",
            hint='Write --reason "why", or mend them.',
        )
    write_file(path, baseline_text(made.entries, path.name))
    write(f"{path}: {made.told}\n")
