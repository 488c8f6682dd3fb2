"""`toolproof call`: one call of one tool."""

import json
from typing import Any

import anyio
import click

from toolproof.cli.options import (
    Line,
    ServerCommand,
    choose_config,
    debug_option,
    given,
    server_options,
    the_one_server,
    wait_option,
)
from toolproof.cli.screen import Screen, write
from toolproof.cli.work import answering, recording
from toolproof.errors import ConfigError

EPILOG = """\b
Examples:
  toolproof call get_weather --arg city=Oslo -- python server.py
  toolproof call add --args '{"a": 1, "b": 2}' --json -c toolproof.yaml"""


@click.command(cls=ServerCommand, epilog=EPILOG)
@click.argument("tool")
@server_options
@click.option("--args", "args_json", metavar="JSON", help="The arguments, a JSON object.")
@click.option(
    "--arg",
    "pairs",
    multiple=True,
    type=Line(),
    metavar="K=V",
    help="One argument; V is read as JSON where it is JSON, else as text. Repeatable.",
)
@click.option("--no-arguments", is_flag=True, help="Send the call without its arguments member.")
@click.option("--timeout-ms", type=click.FloatRange(min=0, min_open=True), help="[default: 10000]")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the whole result as JSON, and nothing else."
)
@debug_option
@wait_option
@click.pass_context
def call(ctx: click.Context, /, tool: str, **flags: Any) -> None:
    """Call TOOL once and print what it gives. An error result, or none, exits 1."""
    arguments = _arguments(flags)
    config = the_one_server(choose_config(ctx, given(timeout_ms=flags["timeout_ms"]), **flags))
    screen: Screen = ctx.obj
    result, known = anyio.run(_call, config, tool, arguments, flags)
    secrets = config.secrets
    if flags["as_json"]:
        from toolproof.reporters.json import render_call

        write(render_call(secrets.mask_any(result)))
    else:
        from toolproof.reporters import answer

        write(answer.render(secrets.mask_any(result), color=screen.color))
    if known is not None and tool not in known:
        from toolproof.text import listed, nearest

        near = nearest(tool, known)
        hint = f"did you mean {near!r}?" if near else f"it lists {listed(known)}"
        write(f"Note: the server lists no tool {tool!r}; {hint}\n", to_stderr=True)
    ctx.exit(1 if result.is_error else 0)


def _arguments(flags: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments that the flags spell out; None for a call without any."""
    if flags["no_arguments"]:
        if flags["args_json"] or flags["pairs"]:
            raise click.UsageError("--no-arguments excludes --args and --arg")
        return None
    found: Any = {}
    if flags["args_json"] is not None:
        try:
            found = json.loads(flags["args_json"])
        except (ValueError, RecursionError) as exc:
            raise ConfigError(
                f"--args: expected a JSON object, got {flags['args_json']!r}: {exc}",
                hint="""Write --args '{"city": "Oslo"}'.""",
            ) from exc
        if not isinstance(found, dict):
            raise ConfigError(f"--args: expected a JSON object, got {flags['args_json']!r}")
    for pair in flags["pairs"]:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise ConfigError(f"--arg: expected K=V, got {pair!r}", hint="Write --arg city=Oslo.")
        try:
            found[name] = json.loads(text)
        except (ValueError, RecursionError):
            found[name] = text
    arguments: dict[str, Any] = found
    return arguments


async def _call(
    config: Any, tool: str, arguments: dict[str, Any] | None, flags: dict[str, Any]
) -> tuple[Any, list[str] | None]:
    """Open the server, call, and see which tools there are when the call failed."""
    from toolproof.connection.wire import NO_ARGUMENTS
    from toolproof.runner import opened

    await answering(flags.get("wait_on") or ())
    with recording(config, flags) as recorder:
        async with opened(config, recorder=recorder) as server:
            sent = NO_ARGUMENTS if arguments is None else arguments
            result = await server.call(tool, sent, timeout_s=config.timeout_ms / 1000)
            known = None
            if result.is_error and not result.transport_error:
                known = [listed.name for listed in await server.list_tools()]
            return result, known
