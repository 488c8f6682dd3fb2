"""Options that commands share, and what they choose: which server, with which settings."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from toolproof.errors import ConfigError

_Command = TypeVar("_Command", bound=Callable[..., Any])
REVISIONS = ("auto", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
PROFILES = ("claude", "openai", "gemini", "vscode", "cursor", "strict")
SERVER_COMMAND = "toolproof.server_command"


class Line(click.types.StringParamType):
    """Text with blanks in it: in a variable that holds several, each has a line of its own."""

    envvar_list_splitter = "\n"


class ServerCommand(click.Command):
    """A command that takes the server's command line after `--`, word for word."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What stands after the first `--` is the server's; the rest is ours."""
        if "--" in args:
            at = args.index("--")
            ctx.meta[SERVER_COMMAND] = tuple(args[at + 1 :])
            args = args[:at]
            if not ctx.meta[SERVER_COMMAND]:
                raise click.UsageError("there is no command after --", ctx)
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "[-- COMMAND...]"]


def server_options(command: _Command) -> _Command:
    """Add the options that choose a server and say how to reach it."""
    for option in reversed(
        (
            click.option(
                "-c",
                "--config",
                "config_path",
                type=click.Path(path_type=Path),
                help="A toolproof.yaml. [default: ./toolproof.yaml, else upwards to the repository's root]",
            ),
            click.option("--url", help="The address of a server over streamable HTTP."),
            click.option(
                "--header",
                "headers",
                multiple=True,
                type=Line(),
                metavar="'NAME: VALUE'",
                help="A header for --url; ${NAME} is taken from the environment. Repeatable.",
            ),
            click.option(
                "--mcp-json",
                type=click.Path(path_type=Path),
                help="An mcpServers file, as Claude Desktop, Cursor and VS Code have.",
            ),
            click.option("--server", help="The name of one server of the file."),
            click.option(
                "--startup-timeout-s",
                type=click.FloatRange(min=0, min_open=True),
                help="Seconds until the server must have answered.  [default: 30]",
            ),
            click.option(
                "--protocol",
                type=click.Choice(REVISIONS),
                help="Speak this revision of MCP only.",
            ),
        )
    ):
        command = option(command)
    return command


def fail_options(command: _Command) -> _Command:
    """Add `--fail-on` and `--strict`."""
    command = click.option("--strict", is_flag=True, help="The same as --fail-on warning.")(command)
    return click.option(
        "--fail-on",
        type=click.Choice(["error", "warning", "info", "never"]),
        help="The lowest severity that fails.  [default: error]",
    )(command)


def check_options(command: _Command) -> _Command:
    """Add the options that say what fails, and for which clients."""
    return fail_options(
        click.option(
            "--client",
            "clients",
            multiple=True,
            type=click.Choice(PROFILES),
            help="Report what this client would refuse as an error. Repeatable.",
        )(command)
    )


def _shard(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    from toolproof.report.shard import parse_shard

    try:
        return parse_shard(value)
    except ValueError as exc:
        raise click.BadParameter(str(exc), ctx, param) from None


def shard_option(command: _Command) -> _Command:
    """Add `--shard I/N`."""
    return click.option(
        "--shard",
        metavar="I/N",
        callback=_shard,
        help="Run the I-th of N parts; `toolproof merge` joins their JSON reports.",
    )(command)


def baseline_options(command: _Command) -> _Command:
    """Add `--baseline FILE` and `--only-new`."""
    command = click.option(
        "--only-new",
        is_flag=True,
        help="With --baseline: fail and tell of nothing but what it lacks.",
    )(command)
    return click.option(
        "--baseline",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Let known problems pass: a file of `toolproof baseline`, or an earlier JSON report.",
    )(command)


def wait_option(command: _Command) -> _Command:
    """Add `--wait-on URL`."""
    return click.option(
        "--wait-on",
        "wait_on",
        multiple=True,
        metavar="URL",
        help="Begin once this address answers, with any status under 500; 60 s. Repeatable.",
    )(command)


def debug_option(command: _Command) -> _Command:
    """Add `--debug FILE` and `--no-progress`."""
    command = click.option("--no-progress", is_flag=True, help="Do not show what is being done.")(
        command
    )
    return click.option(
        "--debug",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Record every message as JSON lines in this file.",
    )(command)


def given(**flags: Any) -> dict[str, Any]:
    """The flags that were given: one that was not is None, or empty."""
    return {
        name: value
        for name, value in flags.items()
        if value is not None and value not in ((), [], {})
    }


def server_overrides(ctx: click.Context, **flags: Any) -> dict[str, Any]:
    """The `server` section that the options spell out."""
    command = ctx.meta.get(SERVER_COMMAND)
    headers = dict(_header(text) for text in flags["headers"])
    if headers and not flags["url"] and command:
        raise click.UsageError("--header goes with --url: a server over stdio has no headers", ctx)
    return given(
        command=list(command) if command else None,
        url=flags["url"],
        headers=headers,
        startup_timeout_s=flags["startup_timeout_s"],
        protocol=flags["protocol"],
    )


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise ConfigError(
            f"--header: expected 'NAME: VALUE', got {text!r}",
            hint="Write --header 'Authorization: Bearer ${TOKEN}'.",
        )
    return name.strip(), value.strip()


def the_one_server(config: Any) -> Any:
    """The config, of which one server alone is wanted.

    Raises:
        ConfigError: It has several.
    """
    if len(config.servers) > 1:
        from toolproof.text import listed

        raise ConfigError(
            f"the config has several servers: {listed(list(config.servers), most=5)}",
            where=str(config.path) if config.path else None,
            hint="Choose one with --server NAME.",
        )
    return config


def choose_config(
    ctx: click.Context, overrides: dict[str, Any], *, with_file: bool = False, **flags: Any
) -> Any:
    """The config that the options choose: a file's, or one made of them alone.

    A server after `--` or `--url` needs no file, and takes none but the one that `-c` names; with
    `with_file` it takes the place of the server of the file that is found, if one is.

    Raises:
        ConfigError: There is no server, or the file is wrong.
    """
    from toolproof.config import config_from, find_config, load_config, load_mcp_json

    server = server_overrides(ctx, **flags)
    path: Path | None = flags["config_path"]
    alone = "command" in server or "url" in server
    if flags["mcp_json"] is not None:
        if alone or path is not None:
            raise click.UsageError("--mcp-json excludes --url, -c and a command after --", ctx)
        found = load_mcp_json(flags["mcp_json"], flags["server"])
        return config_from({**overrides, **({"server": server} if server else {})}, server=found)
    if path is None and (with_file or not alone):
        nearest = find_config(Path.cwd())
        if nearest is not None:
            path = Path(os.path.relpath(nearest))  # as one would name it from here
        elif not alone:
            raise ConfigError(
                "there is no server to test: no toolproof.yaml here or above, and none was given",
                hint=f"Write `toolproof {ctx.info_name} -- python server.py`, or give --url or -c.",
            )
    if path is not None:
        return load_config(
            path, {**overrides, **({"server": server} if server else {})}, server=flags["server"]
        )
    return config_from({**overrides, "server": server})
