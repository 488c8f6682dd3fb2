"""`toolproof snapshot`: write down what a server advertises, or see how it changed."""

import json
from pathlib import Path
from typing import Any

import anyio
import click

from toolproof.cli.options import (
    ServerCommand,
    choose_config,
    debug_option,
    server_options,
    wait_option,
)
from toolproof.cli.outputs import STDOUT, must_be_writable, write_file
from toolproof.cli.screen import write
from toolproof.cli.work import answering, recording

EPILOG = """\b
Examples:
  toolproof snapshot -- python server.py
  toolproof snapshot --check -- python server.py
  toolproof snapshot --check --fail-on routing --json changes.json"""

NEVER = "never"


@click.command(cls=ServerCommand, epilog=EPILOG)
@server_options
@click.option(
    "--check", is_flag=True, help="Write nothing: compare with the file, and fail on what breaks."
)
@click.option(
    "--fail-on",
    type=click.Choice(["breaking", "routing", "additive", "cosmetic", NEVER]),
    default="breaking",
    show_default=True,
    help="With --check: the least change that fails. routing: a text that a model reads.",
)
@click.option(
    "--lock",
    "lock_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The file.  [default: toolproof.lock beside the config, else here]",
)
@click.option(
    "--json",
    "json_path",
    metavar="PATH",
    help="Also write the changes as JSON. '-' is stdout.",
)
@debug_option
@wait_option
@click.pass_context
def snapshot(ctx: click.Context, /, **flags: Any) -> None:
    """Write what the server advertises into toolproof.lock, or compare with it.

    Its tools, resources, prompts, instructions and capabilities. Each change is breaking (what
    worked may fail), routing (a model reads another text), additive or cosmetic. Commit the file,
    and let CI run it with --check.
    """
    if not flags["check"] and ctx.get_parameter_source("fail_on") is _COMMANDLINE:
        raise click.UsageError("--fail-on goes with --check", ctx)
    from toolproof.finish.changes import Kind
    from toolproof.finish.compared import Compared, changes_since
    from toolproof.finish.surface import NAME, lock_text, read_lock

    config = choose_config(ctx, {}, **flags)
    path = flags["lock_path"] or _beside(config, NAME)
    if flags["json_path"] not in (None, STDOUT):
        must_be_writable("json", Path(flags["json_path"]))
    if not flags["check"]:
        must_be_writable("lock", path)
    old = read_lock(path) if flags["check"] or path.exists() else None
    new = anyio.run(_surfaces, config, flags)
    compared = Compared(
        name=path.as_posix(),
        old=old,
        found=changes_since(old, new, _witness) if old is not None else [],
        least=Kind(flags["fail_on"]) if flags["check"] and flags["fail_on"] != NEVER else None,
    )
    _tell(ctx, compared, flags)
    if not flags["check"]:
        kept = {} if old is None or flags["server"] is None else dict(old.lock)
        write_file(path, lock_text({**kept, **new}))
    ctx.exit(compared.code)


def _tell(ctx: click.Context, compared: Any, flags: dict[str, Any]) -> None:
    """Every change and the verdict; and all of it as JSON where that was asked for."""
    path = flags["json_path"]
    to_stderr = path == STDOUT
    lines = list(compared.lines(color=ctx.obj.color and not to_stderr))
    lines += compared.verdict() if flags["check"] else [compared.written()]
    write("".join(f"{line}\n" for line in lines), to_stderr=to_stderr)
    if path is None:
        return
    text = f"{json.dumps(compared.document(), indent=2, ensure_ascii=False)}\n"
    if to_stderr:
        write(text)
    else:
        write_file(Path(path), text)


_COMMANDLINE = click.core.ParameterSource.COMMANDLINE


def _beside(config: Any, name: str) -> Path:
    """The file beside the config, as one would name it from here."""
    if config.path is None:
        return Path(name)
    path = Path(config.path).resolve().parent / name
    here = Path.cwd().resolve()
    return path.relative_to(here) if path.is_relative_to(here) else path


async def _surfaces(config: Any, flags: dict[str, Any]) -> dict[str, Any]:
    """What each server advertises; the name of a single one is empty."""
    from toolproof.finish.surface import surface_of
    from toolproof.runner import opened

    await answering(flags.get("wait_on") or ())
    found = {}
    with recording(config, flags) as recorder:
        for one in config.per_server():
            async with opened(one, recorder=recorder) as server:
                surface = surface_of(await server.server_info())
            found[one.server_alias or ""] = one.secrets.mask_any(surface)
    return found


def _witness(old: Any, new: Any) -> Any:
    """Arguments that fit the old schema and not the new one; None where none were found."""
    from toolproof.phases.fuzz.generate import Plan, within_budget
    from toolproof.report import InputMode
    from toolproof.schemas import SchemaError, Validator

    try:
        judge = Validator(new)
        plan = Plan(old)
        if plan.problem is not None:
            return None
        cases = within_budget(plan, InputMode.VALID, 100)
    except (SchemaError, RecursionError):
        return None
    fitting = (case.arguments for case in cases if isinstance(case.arguments, dict))
    refused = [arguments for arguments in fitting if not judge.fits(arguments)]
    return min(refused, key=lambda arguments: len(json.dumps(arguments, default=str)), default=None)
