"""The command that repeats what failed: as it was typed, less what only says where reports go."""

import shlex
from collections.abc import Iterator
from typing import Any

import click

from toolproof.cli.options import SERVER_COMMAND

_TYPED = click.core.ParameterSource.COMMANDLINE
_ELSEWHERE = frozenset(
    {"annotations", "max_annotations", "summary_title", "junit_strict", "debug", "no_progress"}
    | {"as_json", "wait_on", "last_failed", "watch", "seed", "shard"}
)
"""Options without which no less is found; the seed is that of the report."""


def repeat_line(ctx: click.Context, config: Any, seed: int | None) -> str | None:
    """The line; None where the report itself says it better, or a secret would stand in it."""
    name = str(ctx.info_name)
    has_file, elsewhere = (
        config.path is not None,
        SERVER_COMMAND in ctx.meta or ctx.params.get("url"),
    )
    if (name == "run" and (has_file and not elsewhere)) or (name == "fuzz" and not has_file):
        return None
    words = ["toolproof", name]
    for param in ctx.command.params:
        typed = list(_words(ctx, param))
        if param.name == "headers" and not all("${" in word for word in typed[1::2]):
            return None
        words += typed
    if seed is not None and "seed" in ctx.params:
        words += ["--seed", str(seed)]
    if SERVER_COMMAND in ctx.meta:
        words += ["--", *ctx.meta[SERVER_COMMAND]]
    line: str = config.secrets.mask(shlex.join(words))
    return line


def _words(ctx: click.Context, param: click.Parameter) -> Iterator[str]:
    """A parameter as it was typed; nothing where it was not, or says where reports go."""
    name = param.name or ""
    if (
        ctx.get_parameter_source(name) is not _TYPED
        or name in _ELSEWHERE
        or name.startswith("path_")
    ):
        return
    value = ctx.params[name]
    if not isinstance(param, click.Option):
        yield str(value)
    elif param.is_flag:
        yield param.opts[0]
    else:
        for one in value if param.multiple else [value]:
            yield from (param.opts[0], str(one))
