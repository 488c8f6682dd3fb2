"""`toolproof init`: a first toolproof.yaml for a server, green on its first run."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import click

from toolproof.cli.options import (
    ServerCommand,
    choose_config,
    debug_option,
    server_options,
    the_one_server,
    wait_option,
)
from toolproof.cli.outputs import Outputs, guarded, must_be_writable, write_file
from toolproof.cli.screen import write
from toolproof.cli.work import Work, answering, recording
from toolproof.errors import ConfigError
from toolproof.report import RunReport, runs_of

EPILOG = """\b
Examples:
  toolproof init -- python server.py
  toolproof init --url http://localhost:8000/mcp --header 'Authorization: Bearer ${TOKEN}'
  toolproof init --mcp-json ~/.cursor/mcp.json --server weather"""

NAME = "toolproof.yaml"
ROUNDS = 4
"""So often what is not green is taken out and all is run again."""
_LONGEST_INPUT = 2000


@click.command(cls=ServerCommand, epilog=EPILOG)
@server_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The file to write.  [default: toolproof.yaml]",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@debug_option
@wait_option
@click.pass_context
def init(ctx: click.Context, /, **flags: Any) -> None:
    """Write a first toolproof.yaml for a server: tests of what works now, run once to prove it.

    Calls the tools that change nothing, with arguments made from their schemas, and keeps the calls
    that succeed. Tools that may do harm are never called.
    """
    path = flags["output"] or Path(NAME)
    if path.exists() and not flags["force"]:
        raise ConfigError(
            "it is there already, and would be written over",
            where=str(path),
            hint="Give another file with --output, or write over it with --force.",
        )
    must_be_writable("output", path)
    config = the_one_server(choose_config(ctx, {}, **flags))
    from toolproof.finish.server_section import server_section

    section = server_section(
        config,
        path,
        headers=dict(map(_pair, flags["headers"])),
        options={name: flags[name] for name in ("startup_timeout_s", "protocol")},
    )
    starter = anyio.run(_tried, config, section.keys, flags)
    with _set(section.needed):
        code = _proven(ctx, path, starter, flags)
    for name in section.needed:
        write(f"Set {name} before the next run: its value is not in the file.\n")
    ctx.exit(code)


async def _tried(config: Any, section: Mapping[str, Any], flags: dict[str, Any]) -> Any:
    """What the server is, and which of its calls succeed."""
    from toolproof.finish.probing import probed
    from toolproof.finish.starter import Starter
    from toolproof.runner import opened

    await answering(flags.get("wait_on") or ())
    with recording(config, flags) as recorder:
        async with opened(config, recorder=recorder) as server:
            info = await server.server_info()
            folders = _folders(config)
            probes = await probed(server, info, inputs=_inputs, danger=change_of, folders=folders)
    starter = Starter(
        name=config.server_alias or info.name or config.server.target,
        server={},
        probes=probes,
    )
    masked: Starter = config.secrets.mask_any(starter)
    return replace(masked, server=section)


def change_of(tool: Any) -> str | None:
    """Why a tool is not called: it says, or may, that it changes something; None where it reads.

    More careful than the fuzzer, whose servers are there to be tried: this one may be in use.
    """
    from toolproof.phases.fuzz.safety import danger_of

    why = danger_of(tool)
    read_only = tool.annotations.get("readOnlyHint")
    if why is not None or read_only is True:
        return why
    if read_only is False:
        return "it says that it is not read-only (readOnlyHint)"
    words = (
        danger_of(replace(tool, raw={**tool.raw, "annotations": {}})) if tool.annotations else None
    )
    return words and words.replace(
        "it has no annotations,", "it does not say that it is read-only,"
    )


def _folders(config: Any) -> list[str]:
    """Folders that the server's command line names: what it works on, as a rule."""
    words = [
        word.partition("=")[2] if word.startswith("-") else word
        for word in config.server.command or ()
    ]
    found = (word for word in words if len(word) > 1 and Path(word).is_absolute())
    return [word for word in dict.fromkeys(found) if _is_folder(word)]


def _is_folder(word: str) -> bool:
    try:
        return Path(word).is_dir()
    except OSError:  # longer than a path can be
        return False


def _inputs(schema: Any, given: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Arguments that fit a schema: what the schema or earlier results name, then the plainest."""
    from toolproof.phases.fuzz.generate import Plan, Stage
    from toolproof.report import InputMode

    plan = Plan(schema, given=given)
    for stage in (Stage.EXAMPLES, Stage.COVERAGE):
        for case in plan.cases(stage, InputMode.VALID):
            arguments = case.arguments
            if not isinstance(arguments, dict):
                continue
            text = json.dumps(arguments, default=str)
            if "${" not in text and len(text) <= _LONGEST_INPUT:
                yield arguments


def _proven(ctx: click.Context, path: Path, starter: Any, flags: dict[str, Any]) -> int:
    """Write the file and run it; take out what is not green, until all of it is.

    Returns:
        The exit code: that of the last run.
    """
    outputs = Outputs(screen=ctx.obj, paths={})
    report = None
    for _ in range(ROUNDS):
        write_file(path, starter.text())
        report = _run(ctx, outputs, path, flags)
        if report.exit_code != 1:
            break
        starter = _without_failures(starter, report)
    if report is None or report.exit_code:
        if report is not None:
            outputs.finish(report)
        write(f"{path} written, but its first run is not green: see above\n")
        return report.exit_code if report is not None else 4
    write(_told(path, starter))
    return 0


def _run(ctx: click.Context, outputs: Outputs, path: Path, flags: dict[str, Any]) -> RunReport:
    work = Work(ctx, outputs, {"seed": 1, "no_progress": flags["no_progress"]})

    def make() -> Any:
        from toolproof.config import load_config

        return work.execute(load_config(path), phases=None)

    return runs_of(guarded(make))[0]


def _without_failures(starter: Any, report: RunReport) -> Any:
    """The same less the tests that failed or broke a rule, and with the errors of the checks let pass."""
    from toolproof.finish.starter import name_of
    from toolproof.report import Severity

    wrong = {test.name: test.failures[0] for test in report.tests if test.details}
    tested = {one.name for one in starter.tests if one.what == "tool"}
    ignored = {(one.rule, one.tool): one for one in starter.ignored}
    for problem in report.checks:
        if problem.severity is not Severity.ERROR:
            continue
        if _is_shown_by_calls(problem.rule) and problem.tool in tested:
            wrong.setdefault(f"{problem.tool} answers", f"{problem.rule}: {problem.message}")
        else:
            ignored.setdefault((problem.rule, problem.tool), problem)
    probes = [
        replace(one, expect=None, why_not=wrong[name_of(one)])
        if one.expect is not None and name_of(one) in wrong
        else one
        for one in starter.probes
    ]
    return replace(starter, probes=probes, ignored=tuple(ignored.values()))


def _is_shown_by_calls(rule: str) -> bool:
    from toolproof.cli.known import is_live

    return is_live(rule)


def _told(path: Path, starter: Any) -> str:
    """What was written, and what was not."""
    from toolproof.text import count, listed

    tests = count(len(starter.tests), "test") if starter.tests else "the static checks alone"
    words = [f"{path} written: {tests}, green on the first run\n"]
    if starter.ignored:
        known = count(len(starter.ignored), "problem")
        words.append(f"  {known} of the static checks let pass under 'checks': mend them\n")
    if starter.left_out:
        names = listed([one.name for one in starter.left_out], most=5)
        words.append(f"  without a test: {names}; the file says why\n")
    words.append(f"Next: toolproof run{'' if path == Path(NAME) else f' {path}'}\n")
    return "".join(words)


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition(":")
    return name.strip(), value.strip()


class _set:  # noqa: N801 - reads like what it does
    """While inside, these variables are set, where they were not."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._new = {name: value for name, value in values.items() if name not in os.environ}

    def __enter__(self) -> None:
        os.environ.update(self._new)

    def __exit__(self, *_: object) -> None:
        for name in self._new:
            os.environ.pop(name, None)
