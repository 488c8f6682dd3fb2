"""`toolproof inspect`: what a server offers, and what its static checks say."""

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
from toolproof.cli.outputs import STDOUT, Outputs, guarded, output_options
from toolproof.cli.screen import write
from toolproof.cli.work import Work, failing_severity
from toolproof.report import RunReport, runs_of

EPILOG = """\b
Examples:
  toolproof inspect -- python server.py
  toolproof inspect --url http://localhost:8000/mcp --header 'Authorization: Bearer ${TOKEN}'
  toolproof inspect --client claude --json -- npx -y my-server"""


def _without_path_json(command: Any) -> Any:
    """`--json` is a flag here: it prints to stdout, and nothing else goes there."""
    kept = [param for param in command.__click_params__ if param.name != "path_json"]
    command.__click_params__ = kept
    return command


@click.command(cls=ServerCommand, epilog=EPILOG)
@server_options
@check_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON to stdout, and nothing else.")
@click.option("--exit-zero", is_flag=True, help="Findings do not fail.")
@_without_path_json
@baseline_options
@shard_option
@output_options
@debug_option
@wait_option
@click.pass_context
def inspect(ctx: click.Context, /, **flags: Any) -> None:
    """Show what a server offers, and what the static checks say of it. No tool is called."""
    as_json = flags.pop("as_json")
    flags["path_json"] = None
    outputs = Outputs.of(ctx, flags)
    if as_json and STDOUT in outputs.paths.values():
        raise click.UsageError("--json prints to stdout: give the other report a path", ctx)
    work = Work(ctx, outputs, flags)

    def make() -> Any:
        fail_on = failing_severity(ctx, flags)
        overrides = given(checks={**given(clients=list(flags["clients"])), "enabled": True})
        config = choose_config(ctx, overrides, **flags)
        return work.execute_all(config, phases=["checks"], fail_on=fail_on)

    report = guarded(make)
    if as_json:
        from toolproof.reporters.json import render_inspect

        write(render_inspect(report))
        code = outputs.silently().finish(report)
    else:
        for run in runs_of(report):
            _show_offer(outputs, run)
        code = outputs.finish(report)
    ctx.exit(0 if flags["exit_zero"] and code == 1 else code)


def _show_offer(outputs: Outputs, run: RunReport) -> None:
    """What a server has to offer, where it was reached."""
    if run.server is None:
        return
    from toolproof.reporters import offer

    screen = outputs.screen
    text = offer.render(
        run,
        terminal=screen.terminal,
        color=screen.color,
        width=screen.width,
        verbose=screen.verbose,
        ascii=screen.ascii,
    )
    write(text, to_stderr=STDOUT in outputs.paths.values())
