"""The `toolproof` command: words in, exit code out."""

import gc
import sys
from importlib import import_module
from typing import Any

import click

COMMANDS = {
    "inspect": "What a server offers, and what its static checks say",
    "run": "Everything that toolproof.yaml asks for",
    "fuzz": "Generated inputs for every tool",
    "bench": "How fast tools answer",
    "eval": "Does a model pick the right tool",
    "call": "One call of one tool",
    "init": "A first toolproof.yaml for a server, green on its first run",
    "snapshot": "Write down what a server advertises, or see how it changed",
    "baseline": "Write down known problems: later runs fail on new ones",
    "merge": "One report out of several shards or servers",
    "rules": "The rules of the static checks, or one explained",
    "schema": "The JSON Schema of toolproof.yaml, or of the JSON report",
    "demo": "See what it finds, on a server with planted bugs",
}
"""In the order of `--help`, with the line that stands there: a command's module is imported only
when it runs, so that `toolproof --help` costs no more than click itself."""


class Program(click.Group):
    """Finds a command's module by its name, and says which one was meant when there is none."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"toolproof.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        for param in command.params:
            if isinstance(param, click.Option):
                param.envvar = variable_of(cmd_name, param)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name suggested."""
        if args and args[0] not in COMMANDS:
            from toolproof.text import nearest

            near = nearest(args[0], list(COMMANDS))
            hint = f"did you mean {near!r}?" if near else "see `toolproof --help`"
            raise click.UsageError(f"there is no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run; whatever is raised becomes a message and an exit code."""
        # Some 600 modules are imported before anything runs: collecting garbage among them finds
        # none, and costs a tenth of the start. `work.py` turns it on again when the run begins.
        gc.disable()
        from toolproof.cli.boundary import guarded_main

        return guarded_main(super().main, *args, **kwargs)


def variable_of(command: str, option: click.Option) -> str:
    """The variable that sets an option: TOOLPROOF_RUN_FAIL_ON. Click's own name is of our code's."""
    long = next((name for name in option.opts if name.startswith("--")), option.opts[0])
    return f"TOOLPROOF_{command}_{long.lstrip('-')}".upper().replace("-", "_")


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:  # noqa: FBT001
    if value and not ctx.resilient_parsing:
        from toolproof.version import version

        click.echo(f"toolproof {version()}")
        ctx.exit()


@click.group(
    cls=Program,
    context_settings={"auto_envvar_prefix": "TOOLPROOF", "help_option_names": ["-h", "--help"]},
    epilog="Start with `toolproof inspect -- python server.py`, or with `toolproof demo`.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_version,
    help="Show the version.",
)
@click.option("-v", "--verbose", count=True, help="Show hints and what passed too.")
@click.option("-q", "--quiet", is_flag=True, help="Show only what fails, and the verdict.")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colors in the terminal.",
)
@click.pass_context
def main(ctx: click.Context, *, verbose: int, quiet: bool, color: str) -> None:
    """Prove that the tools of an MCP server work."""
    from toolproof.cli.screen import Screen

    if verbose and quiet:
        raise click.UsageError("-v and -q exclude each other")
    ctx.obj = Screen.of(verbose=-1 if quiet else verbose, color=color, environ=dict(_environ()))


def _environ() -> dict[str, str]:
    import os

    return dict(os.environ)


__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
