"""`toolproof schema`: the JSON Schemas of the files that toolproof reads and writes."""

import json

import click

from toolproof.cli.screen import write

EPILOG = """\b
Examples:
  toolproof schema > toolproof.schema.json
  toolproof schema report
  toolproof schema eval-command"""


@click.command(epilog=EPILOG)
@click.argument("what", type=click.Choice(["config", "report", "eval-command"]), default="config")
def schema(what: str) -> None:
    """Print a JSON Schema: of toolproof.yaml (config), of the JSON report (report), or of what a
    program writes that answers for a model (eval-command).
    """  # noqa: D205 - click shows the first paragraph
    if what == "config":
        from toolproof.config.schema import config_schema

        found = config_schema()
    elif what == "eval-command":
        from toolproof.phases.evals.providers.program import ANSWER_SCHEMA

        found = ANSWER_SCHEMA
    else:
        from toolproof.report.document import report_schema

        found = report_schema()
    write(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
