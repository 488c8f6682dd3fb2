"""`toolproof run`: everything that toolproof.yaml asks for."""

from pathlib import Path
from typing import Any

import click

from toolproof.cli.options import (
    Line,
    ServerCommand,
    baseline_options,
    check_options,
    choose_config,
    debug_option,
    given,
    server_options,
    shard_option,
    wait_option,
)
from toolproof.cli.outputs import Outputs, guarded, output_options
from toolproof.cli.work import Work, failing_severity

EPILOG = """\b
Examples:
  toolproof run
  toolproof run ci/toolproof.yaml --junit junit.xml
  toolproof run --phases checks,tests --strict
  toolproof run -k "weather and not slow" -- python server.py"""


@click.command(cls=ServerCommand, epilog=EPILOG)
@click.argument(
    "config_argument", metavar="[CONFIG]", required=False, type=click.Path(path_type=Path)
)
@server_options
@click.option("--phases", help="Run just these, by comma.")
@click.option("--skip", help="Run all but these, by comma.")
@click.option("--no-checks", is_flag=True, help="The same as --skip checks.")
@check_options
@click.option(
    "--timeout-ms",
    type=click.FloatRange(min=0, min_open=True),
    help="For each call.  [default: 10000]",
)
@click.option("--retries", type=click.IntRange(min=0), help="For each failing test.  [default: 0]")
@click.option(
    "-k", "keyword", metavar="EXPR", help="Only tests whose name fits: words, and, or, not."
)
@click.option(
    "--tag", "tags", multiple=True, type=Line(), help="Only tests with this tag. Repeatable."
)
@click.option("--last-failed", is_flag=True, help="Only tests that failed in the last run here.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Servers that independent tests spread over.  [default: 1]",
)
@click.option("--update-snapshots", is_flag=True, help="Record snapshots anew.")
@click.option("--watch", is_flag=True, help="Run again when a file of the config's folder changes.")
@click.option("--seed", type=int, help="For random choices.  [default: drawn, and printed]")
@baseline_options
@shard_option
@output_options
@debug_option
@wait_option
@click.pass_context
def run(ctx: click.Context, /, config_argument: Path | None, **flags: Any) -> None:
    """Run the phases that CONFIG asks for, and report.

    CONFIG is a toolproof.yaml; without it, the one of this folder, or of the next folder above that
    has one, up to the repository's root. --url or a command after -- takes the place of its server.
    """
    if config_argument is not None:
        if flags["config_path"] is not None:
            raise click.UsageError("CONFIG and -c name a file each: give one", ctx)
        flags["config_path"] = config_argument
    outputs = Outputs.of(ctx, flags)
    work = Work(ctx, outputs, flags)
    roots: list[Path] = []

    def make() -> Any:
        if flags["watch"]:
            roots[:] = [_folder(flags)]
        fail_on = failing_severity(ctx, flags)
        config = choose_config(
            ctx,
            given(
                timeout_ms=flags["timeout_ms"],
                retries=flags["retries"],
                checks=given(clients=list(flags["clients"])),
            ),
            with_file=True,
            **flags,
        )
        roots.extend(_sources(config) if flags["watch"] else ())
        return work.execute_all(config, phases=_phases(config, flags), fail_on=fail_on)

    def once() -> int:
        return outputs.finish(work.remember(guarded(make)))

    if not flags["watch"]:
        ctx.exit(once())
    from toolproof.cli.watch import Watched, watch

    written = [Path(path) for path in (*outputs.paths.values(), flags["debug"]) if path]
    ctx.exit(watch(once, lambda: roots or [_folder(flags)], Watched(written)))


def _folder(flags: dict[str, Any]) -> Path:
    """The folder of the config, else the current one."""
    from toolproof.config import find_config

    path: Path | None = flags["config_path"]
    if path is None and flags["mcp_json"] is None:
        path = find_config(Path.cwd())
    return path.absolute().parent if path else Path.cwd()


def _sources(config: Any) -> list[Path]:
    """Where the file says that the sources of its servers are."""
    return [
        config.resolve(path)
        for one in config.per_server()
        for path in (one.server.source if isinstance(one.server.source, tuple) else ())
    ]


def _phases(config: Any, flags: dict[str, Any]) -> list[str] | None:
    """The phases to run: those named, less those skipped; None where nothing was said."""
    from toolproof.runner import wanted_phases

    named = _names(flags["phases"])
    skipped = _names(flags["skip"]) or []
    if flags["no_checks"]:
        skipped.append("checks")
    if named is None and not skipped:
        return None
    wanted = [str(phase.name) for phase in wanted_phases(config, named)]
    wanted_phases(config, skipped or None)  # an unknown name is a mistake here too
    return [name for name in wanted if name not in skipped]


def _names(text: str | None) -> list[str] | None:
    if text is None:
        return None
    return [name for part in text.replace("\n", ",").split(",") if (name := part.strip())]
