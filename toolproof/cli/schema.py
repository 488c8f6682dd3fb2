"""`toolproof schema`: the JSON Schemas of the files that toolproof reads and writes."""

import json

import click

from toolproof.cli.screen import write

EPILOG = """\b
Examples:
  toolproof schema > toolproof.schema.json
  toolproof schema report"""


@click.command(epilog=EPILOG)
@click.argument("what", type=click.Choice(["config", "report"]), default="config")
def schema(what: str) -> None:
    """Print the JSON Schema of toolproof.yaml (config), or of the JSON report (report)."""
    if what == "config":
        from toolproof.config.schema import config_schema

        found = config_schema()
    else:
        from toolproof.report.document import report_schema

        found = report_schema()
    write(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
