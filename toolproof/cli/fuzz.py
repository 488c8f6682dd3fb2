"""`toolproof fuzz`: generated inputs for every tool."""

from pathlib import Path
from typing import Any

import click

from toolproof.cli.options import (
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
from toolproof.errors import ConfigError

EPILOG = """\b
Examples:
  toolproof fuzz -- python server.py
  toolproof fuzz --examples 200 --seed 7 -- npx -y my-server
  toolproof fuzz --tool 'search_*' --save-tests found.yaml -c toolproof.yaml
  toolproof fuzz --include-destructive --url http://127.0.0.1:8000/mcp"""


@click.command(cls=ServerCommand, epilog=EPILOG)
@server_options
@click.option(
    "--examples",
    type=click.IntRange(min=1),
    help="Inputs per tool that fit its schema, and as many that do not.  [default: 50]",
)
@click.option(
    "--timeout-ms",
    type=click.FloatRange(min=0, min_open=True),
    help="How long a call may be silent, at most.  [default: 2000]",
)
@click.option(
    "--max-time-s",
    type=click.FloatRange(min=0, min_open=True),
    help="For each tool.  [default: 60]",
)
@click.option(
    "--tool",
    "tools",
    multiple=True,
    metavar="NAME",
    help="Only this one, whatever it may do; * and ? stand for other characters. Repeatable.",
)
@click.option(
    "--skip", "skips", multiple=True, metavar="NAME", help="Not this one; likewise. Repeatable."
)
@click.option(
    "--include-destructive", is_flag=True, help="Call tools too that may change or destroy things."
)
@click.option(
    "--valid-must-succeed", is_flag=True, help="Report an error for an input that fits the schema."
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Servers side by side.  [default: as many as there are processors, 4 at most]",
)
@click.option(
    "--save-tests",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the findings as tests of a toolproof.yaml.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Makes the same inputs again.")
@check_options
@baseline_options
@shard_option
@output_options
@debug_option
@wait_option
@click.pass_context
def fuzz(ctx: click.Context, /, **flags: Any) -> None:
    """Call every tool with inputs made from its schema, and report what no server should do.

    Tools that say, or whose names say, that they change things are left out unless they are named.
    """
    outputs = Outputs.of(ctx, flags)
    work = Work(ctx, outputs, flags)
    save_to: Path | None = flags["save_tests"]

    def make() -> Any:
        from toolproof.phases.fuzz.saving import must_be_ours

        if save_to is not None:
            must_be_ours(save_to)
        fail_on = failing_severity(ctx, flags)
        config = choose_config(
            ctx, {"fuzz": _section(flags), "checks": given(clients=list(flags["clients"]))}, **flags
        )
        if save_to is not None and len(config.per_server()) > 1:
            raise click.UsageError("--save-tests goes with one server: give --server NAME", ctx)
        if flags["seed"] is None:
            flags["seed"] = config.fuzz.seed
        report = work.execute_all(config, phases=["fuzz"], fail_on=fail_on)
        if save_to is not None:
            _save(save_to, report, config)
        return report

    ctx.exit(outputs.finish(guarded(make)))


def _section(flags: dict[str, Any]) -> dict[str, Any]:
    section = given(
        max_examples=flags["examples"],
        timeout_ms=flags["timeout_ms"],
        max_time_s=flags["max_time_s"],
        tools=list(flags["tools"]),
        skip=list(flags["skips"]),
        workers=flags["workers"],
        seed=flags["seed"],
    )
    for name in ("include_destructive", "valid_must_succeed"):
        if flags[name]:
            section[name] = True
    return {"enabled": True, **section}


def _save(path: Path, report: Any, config: Any) -> None:
    from toolproof.phases.fuzz.saving import tests_of
    from toolproof.report import runs_of

    results = [result for run in runs_of(report) for result in run.fuzz]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(tests_of(results, config), encoding="utf-8")
    except OSError as exc:
        raise ConfigError(f"--save-tests: {path} cannot be written: {exc.strerror}") from exc
