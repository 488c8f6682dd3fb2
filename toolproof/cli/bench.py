"""`toolproof bench`: latency percentiles, throughput, error rate."""

import json
import shlex
from pathlib import Path
from typing import Any

import click

from toolproof.cli.options import (
    ServerCommand,
    baseline_options,
    choose_config,
    debug_option,
    fail_options,
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
  toolproof bench --tool get_time --args '{"zone": "UTC"}' -- python server.py
  toolproof bench --duration-s 10 --concurrency 20 --p95-ms 50 --max-error-rate 0
  toolproof bench --tool echo --args '{"text": "hi"}' --compare-command "python old.py" -- python new.py"""


@click.command(cls=ServerCommand, epilog=EPILOG)
@server_options
@click.option("--tool", help="The tool to call.  [default: the targets of the file]")
@click.option("--args", "args_json", metavar="JSON", help="Its arguments, a JSON object.")
@click.option("--calls", type=click.IntRange(min=1), help="Calls per target.  [default: 100]")
@click.option(
    "--duration-s",
    type=click.FloatRange(min=0, min_open=True),
    help="Seconds, in place of --calls.",
)
@click.option(
    "--rate",
    type=click.FloatRange(min=0, min_open=True),
    help="Calls started per second, whether or not earlier ones have ended.",
)
@click.option("--concurrency", type=click.IntRange(min=1), help="Calls in flight.  [default: 10]")
@click.option(
    "--warmup", type=click.IntRange(min=0), help="Unmeasured calls, at least.  [default: 3]"
)
@click.option("--timeout-ms", type=click.FloatRange(min=0, min_open=True), help="[default: 10000]")
@click.option("--p50-ms", type=click.FloatRange(min=0, min_open=True), help="The highest median.")
@click.option("--p95-ms", type=click.FloatRange(min=0, min_open=True), help="The highest p95.")
@click.option("--p99-ms", type=click.FloatRange(min=0, min_open=True), help="The highest p99.")
@click.option(
    "--max-error-rate", type=click.FloatRange(0, 1), help="The largest share of failing calls."
)
@click.option(
    "--min-throughput",
    type=click.FloatRange(min=0, min_open=True),
    help="The fewest calls per second.",
)
@click.option(
    "--max-regression",
    type=click.FloatRange(min=1),
    help="With a comparison: fail where calls surely take over so many times as long (1.1: a tenth more).",
)
@click.option(
    "--ramp", is_flag=True, help="Double the calls in flight until the rate no longer grows."
)
@click.option(
    "--compare",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="REPORT.json",
    help="Compare with the benchmarks of a saved report.",
)
@click.option("--any-machine", is_flag=True, help="Compare even with a report of another machine.")
@click.option(
    "--compare-command", metavar='"OLD"', help="Compare with this server, call by call in turn."
)
@click.option("--seed", type=int, help="Of the comparison's interval.")
@fail_options
@baseline_options
@shard_option
@output_options
@debug_option
@wait_option
@click.pass_context
def bench(ctx: click.Context, /, **flags: Any) -> None:
    """Measure how fast tools answer: percentiles, rate, errors, and what the client costs itself."""
    outputs = Outputs.of(ctx, flags)
    work = Work(ctx, outputs, flags)

    def make() -> Any:
        for one, other in (("calls", "duration_s"), ("compare", "compare_command")):
            if flags[one] is not None and flags[other] is not None:
                names = [f"--{name.replace('_', '-')}" for name in (one, other)]
                raise click.UsageError(f"{' and '.join(names)} exclude each other", ctx)
        fail_on = failing_severity(ctx, flags)
        config = choose_config(ctx, {"bench": _section(flags)}, **flags)
        return work.execute_all(
            config, phases=["bench"], fail_on=fail_on, phase_options=_options(flags)
        )

    ctx.exit(outputs.finish(guarded(make)))


def _section(flags: dict[str, Any]) -> dict[str, Any]:
    names = ("p50_ms", "p95_ms", "p99_ms", "max_error_rate", "min_throughput", "max_regression")
    section = given(
        calls=flags["calls"],
        duration_s=flags["duration_s"],
        rate=flags["rate"],
        concurrency=flags["concurrency"],
        timeout_ms=flags["timeout_ms"],
        thresholds=given(**{name: flags[name] for name in names}),
    )
    if flags["warmup"] is not None:
        section["warmup"] = flags["warmup"]
    if flags["tool"] is not None:
        section["targets"] = [{"tool": flags["tool"], "args": arguments_of(flags["args_json"])}]
    elif flags["args_json"] is not None:
        raise ConfigError("--args goes with --tool")
    return {"enabled": True, **section}


def arguments_of(text: str | None) -> dict[str, Any]:
    """The object that `--args` spells out.

    Raises:
        ConfigError: It is no JSON object.
    """
    if text is None:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise ConfigError(f"--args: expected a JSON object, got {text!r}: {exc}") from exc
    if not isinstance(found, dict):
        raise ConfigError(f"--args: expected a JSON object, got {text!r}")
    return found


def _options(flags: dict[str, Any]) -> dict[str, object]:
    """What the config has no key for."""
    options: dict[str, object] = given(
        ramp=flags["ramp"] or None,
        compare_report=flags["compare"],
        any_machine=flags["any_machine"] or None,
    )
    if flags["compare_command"] is not None:
        try:
            command = tuple(shlex.split(flags["compare_command"]))
        except ValueError as exc:
            raise ConfigError(f"--compare-command: {exc}") from exc
        if not command:
            raise ConfigError("--compare-command: the command is empty")
        options |= {"compare_server": command, "compare_name": flags["compare_command"]}
    return options
