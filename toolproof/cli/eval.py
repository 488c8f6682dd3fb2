"""`toolproof eval`: does a model pick the right tool."""

from collections.abc import Sequence
from typing import Any

import click

from toolproof.cli.boundary import say_error
from toolproof.cli.exit_codes import ExitCode
from toolproof.cli.options import (
    ServerCommand,
    baseline_options,
    choose_config,
    debug_option,
    fail_options,
    given,
    server_options,
    shard_option,
    the_one_server,
    wait_option,
)
from toolproof.cli.outputs import Outputs, guarded, output_options
from toolproof.cli.screen import write
from toolproof.cli.work import Work, answering, failing_severity, recording

EPILOG = """\b
Examples:
  toolproof eval
  toolproof eval --model some-model --repeat 5 --min-accuracy 0.9
  toolproof eval --offline -- python server.py
  toolproof eval --offline --embeddings models/potion-base-8M -- python server.py
  toolproof eval --suggest -- python server.py >> toolproof.yaml"""


@click.command("eval", cls=ServerCommand, epilog=EPILOG)
@server_options
@click.option(
    "--provider", type=click.Choice(["anthropic", "openai", "command"]), help="Who is asked."
)
@click.option("--model", help="The model's name, as its provider spells it.")
@click.option(
    "--min-accuracy",
    type=click.FloatRange(0, 1),
    help="The least share of right answers.  [default: 1]",
)
@click.option(
    "--min-accuracy-lower",
    type=click.FloatRange(0, 1),
    help="The least lower bound of the interval of that share.",
)
@click.option(
    "--repeat", type=click.IntRange(min=1), help="How often each prompt is asked.  [default: 1]"
)
@click.option("--no-cache", is_flag=True, help="Ask anew, and replace what the cache holds.")
@click.option(
    "--max-cost-usd", type=click.FloatRange(min=0, min_open=True), help="What all calls may cost."
)
@click.option("--offline", is_flag=True, help="Ask nobody: show which tools are easily confused.")
@click.option(
    "--suggest", is_flag=True, help="Ask nobody: write prompts for such tools, to be edited."
)
@click.option(
    "--embeddings",
    metavar="MODEL",
    help="With --offline or --suggest: compare what tools mean, too. A folder of a model2vec model, "
    "its name in the model hub's cache, or openai:NAME for an endpoint at OPENAI_BASE_URL.",
)
@click.option("--seed", type=int, help="Of the order of tools, with shuffle.")
@fail_options
@baseline_options
@shard_option
@output_options
@debug_option
@wait_option
@click.pass_context
def eval(ctx: click.Context, /, **flags: Any) -> None:  # noqa: A001 - the command's name
    """Ask a model which tool it would call for each prompt of the config's evals."""
    if flags["offline"] or flags["suggest"]:
        ctx.exit(_advise(ctx, flags))
    if flags["embeddings"] is not None:
        raise click.UsageError("--embeddings goes with --offline or --suggest", ctx)
    outputs = Outputs.of(ctx, flags)
    work = Work(ctx, outputs, flags)

    def make() -> Any:
        section = given(
            provider=flags["provider"],
            model=flags["model"],
            min_accuracy=flags["min_accuracy"],
            min_accuracy_lower=flags["min_accuracy_lower"],
            repeat=flags["repeat"],
            max_cost_usd=flags["max_cost_usd"],
        )
        fail_on = failing_severity(ctx, flags)
        config = choose_config(ctx, given(evals=section), **flags)
        return work.execute_all(
            config, phases=["evals"], fail_on=fail_on, phase_options={"no_cache": flags["no_cache"]}
        )

    ctx.exit(outputs.finish(guarded(make)))


def _advise(ctx: click.Context, flags: dict[str, Any]) -> int:
    """`--offline` and `--suggest`: from the tool list alone; advice, so never a failure.

    Returns:
        The exit code: 2 where the user must change something for `--embeddings`, else 0.
    """
    if any(flags[name] is not None for name in flags if name.startswith("path_")):
        raise click.UsageError("--offline and --suggest ask nobody: there is no report of it", ctx)
    import anyio

    from toolproof.phases.evals.offline import confusable, named, suggestions
    from toolproof.reporters import advice
    from toolproof.runner import opened

    async def tools() -> Any:
        await answering(flags["wait_on"])
        with recording(config, flags) as recorder:
            async with opened(config, recorder=recorder) as server:
                return await server.list_tools()

    # nobody is asked, so a section without provider or prompts is no mistake
    config = the_one_server(choose_config(ctx, {"evals": {"enabled": False}}, **flags))
    listed = anyio.run(tools)
    near, code = None, ExitCode.PASSED
    if flags["embeddings"] is not None:
        near, code = _by_meaning(flags["embeddings"], named(listed), config)
    pairs = config.secrets.mask_any(confusable(listed, near=near))
    if flags["suggest"]:
        write(config.secrets.mask(suggestions(pairs, listed)))
    else:
        write(advice.render(pairs, tools=len(listed), meaning=near is not None))
    return code


def _by_meaning(
    model: str, tools: Sequence[Any], config: Any
) -> tuple[dict[tuple[int, int], float] | None, ExitCode]:
    """Pairs by `--embeddings`; None, and why on stderr, where only words can be compared.

    What the user must change ends with 2. What passes by itself, such as an endpoint that is not
    there just now, ends with 0: advice is no gate.
    """
    import anyio

    from toolproof.config import EvalsConfig
    from toolproof.phases.evals.embedding import near_by_meaning
    from toolproof.phases.evals.meaning import FEWEST_TOOLS, MOST_TOOLS
    from toolproof.phases.evals.providers.provider import ProviderError

    mask = config.secrets.mask
    try:
        near = anyio.run(near_by_meaning, model, tools, config.evals or EvalsConfig(enabled=False))
    except ProviderError as error:
        if error.fatal:
            say_error(mask(f"--embeddings: {error}"), hint=error.hint)
            return None, ExitCode.USAGE
        hint = f"Hint: {error.hint}\n" if error.hint else ""
        words = f"Warning: tools are compared by words alone: {error}\n{hint}"
        write(mask(words), to_stderr=True)
        return None, ExitCode.PASSED
    if len(tools) < FEWEST_TOOLS:
        words = f"Note: of fewer than {FEWEST_TOOLS} tools none stands out by its meaning\n"
        write(words, to_stderr=True)
    if len(tools) > MOST_TOOLS:
        write(
            f"Note: the first {MOST_TOOLS} of {len(tools)} tools are compared by meaning\n",
            to_stderr=True,
        )
    return near, ExitCode.PASSED
