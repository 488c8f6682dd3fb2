"""`toolproof merge`: one report out of several shards or servers."""

from pathlib import Path
from typing import Any

import click

from toolproof.cli.known import Known
from toolproof.cli.options import baseline_options
from toolproof.cli.outputs import Outputs, guarded, output_options
from toolproof.cli.work import failing_severity

EPILOG = """\b
Examples:
  toolproof merge shard-1.json shard-2.json --junit junit.xml
  toolproof merge legs/*.json --fail-on error --html report.html --json report.json"""


@click.command(epilog=EPILOG)
@click.argument(
    "reports",
    metavar="REPORT.json...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path),
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info", "never"]),
    help="The lowest severity that fails.  [default: as in the reports, and errors at least]",
)
@click.option("--strict", is_flag=True, help="The same as --fail-on warning.")
@click.option("--allow-missing", is_flag=True, help="Go on where a shard's report is missing.")
@baseline_options
@output_options
@click.pass_context
def merge(ctx: click.Context, /, reports: tuple[Path, ...], **flags: Any) -> None:
    """Join the JSON reports of shards, or of several servers, and judge them as one run.

    Every shard of a server must be there once, of one config and one version of toolproof; where
    one is there twice, the later run counts.
    """
    outputs = Outputs.of(ctx, flags)

    def make() -> Any:
        from toolproof.finish.merge import merged
        from toolproof.finish.reading import read_report

        known = Known(flags)
        known.read()
        fail_on = failing_severity(ctx, flags)
        whole = merged(
            [read_report(path) for path in reports],
            fail_on="reports" if fail_on == "config" else fail_on,
            allow_missing=flags["allow_missing"],
        )
        return known.held_against(whole)

    ctx.exit(outputs.finish(guarded(make)))
