"""The whole flow: real SDKs against APIs on loopback, a program, the cache, the budget."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner

from tests.servers.model_apis import serving
from tests.servers.scripted_api import Api
from toolproof.cli.schema import schema
from toolproof.config import Config
from toolproof.connection.observations import ObservationLog
from toolproof.phases.evals import engine
from toolproof.phases.evals.engine import run_evals
from toolproof.phases.evals.providers.program import ANSWER_SCHEMA
from toolproof.phases.phase import PhaseContext, RunOptions
from toolproof.report import EvalSection, Note, ServerInfo, Status, Tool

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOLS = tuple(
    Tool({"name": name, "description": f"Does {name}.", "inputSchema": SCHEMA}, index)
    for index, name in enumerate(["weather", "news.today"])
)


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "sk-test-0123456789")
    monkeypatch.setattr(engine, "LONGEST_PAUSE_S", 0.01)
    with serving() as found:
        yield found


async def evaluate(
    folder: Path, evals: dict[str, Any], **options: Any
) -> tuple[EvalSection, list[Note]]:
    config = Config.model_validate(
        {"server": {"command": ["unused"]}, "base_dir": folder, "evals": evals}
    )
    context = PhaseContext(
        server=None,  # type: ignore[arg-type]  # evals call no tool
        info=ServerInfo(tools=TOOLS),
        config=config,
        log=ObservationLog(),
        options=RunOptions(seed=1, **options),
        another=lambda: None,  # type: ignore[arg-type]
    )
    return await run_evals(context), context.notes


def settings(api: Api, provider: str, *cases: dict[str, Any], **more: Any) -> dict[str, Any]:
    base = {"provider": provider, "model": "scripted", "base_url": api.url, "cases": list(cases)}
    return {**base, **more}


PROVIDERS = pytest.mark.parametrize("provider", ["anthropic", "openai"])
OSLO = {
    "prompt": 'pick weather {"city": "Oslo"}',
    "expect_tool": "weather",
    "expect_args": {"city": "Oslo"},
}


@PROVIDERS
async def test_a_right_pick_passes_with_its_tokens(api: Api, provider: str, tmp_path: Path) -> None:
    section, _ = await evaluate(tmp_path, settings(api, provider, OSLO, system="Be brief."))

    assert section.passed
    assert (section.accuracy, section.correct, section.answers) == (1.0, 1, 1)
    assert (section.input_tokens, section.output_tokens) == (100, 10)
    [case] = section.cases
    assert (case.picked_tool, dict(case.picked_args)) == ("weather", {"city": "Oslo"})
    [request] = api.asked
    assert request["model"] == "scripted"
    assert "Be brief." in json.dumps(request)


@PROVIDERS
async def test_a_wrong_pick_fails_the_gate_and_says_where_it_went(
    api: Api, provider: str, tmp_path: Path
) -> None:
    wrong = {"prompt": "pick news_today {}", "expect_tool": "weather"}

    section, notes = await evaluate(tmp_path, settings(api, provider, OSLO, wrong))

    assert not section.passed
    assert section.accuracy == 0.5
    assert section.cases[1].failures == ("expected 'weather', went to 'news.today' instead",)
    [confusion] = section.confusions
    assert (confusion.expected, confusion.picked, confusion.count) == ("weather", "news.today", 1)
    *cases, gate = section.outcomes(None)
    assert [outcome.status for outcome in cases] == [Status.PASSED, Status.WARNED]
    assert gate.status is Status.FAILED
    assert any("name-dot" in note.message for note in notes)


@PROVIDERS
async def test_too_many_requests_are_waited_out(api: Api, provider: str, tmp_path: Path) -> None:
    case = {"prompt": "429 twice pick weather {}", "expect_tool": "weather"}

    section, _ = await evaluate(tmp_path, settings(api, provider, case))

    assert section.passed
    assert len(api.asked) == 3


@PROVIDERS
@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("status 500", "answered 500"),
        ("garbage", "is no JSON: '<html>not JSON</html>'"),
        ("no choices", "has no"),
        ("bad arguments", "arguments"),
        ("slow", "no answer within 0.2 s"),
    ],
)
async def test_a_question_without_an_answer_is_wrong_and_says_why(
    api: Api, provider: str, prompt: str, words: str, tmp_path: Path
) -> None:
    broken = {"prompt": prompt, "expect_tool": "weather"}

    section, _ = await evaluate(tmp_path, settings(api, provider, OSLO, broken, timeout_s=0.2))

    assert section.error is None
    assert section.accuracy == 0.5
    [failure] = section.cases[1].failures
    assert failure.startswith("no answer: ")
    assert words in failure


@PROVIDERS
async def test_a_refused_key_ends_the_evals_at_once(
    api: Api, provider: str, tmp_path: Path
) -> None:
    cases = [{"prompt": f"status 401 {i}", "expect_tool": "weather"} for i in range(40)]

    section, _ = await evaluate(tmp_path, settings(api, provider, *cases))

    assert section.error is not None
    assert "401" in section.error
    assert section.hint == "Check the key, and what it may do."
    assert len(api.asked) < 10


@PROVIDERS
async def test_a_key_that_an_api_quotes_is_masked(api: Api, provider: str, tmp_path: Path) -> None:
    case = {"prompt": "quote the key", "expect_tool": "weather"}

    section, _ = await evaluate(tmp_path, settings(api, provider, case))

    assert section.error is not None
    assert section.error.startswith("the API answered 401: no such key: ")
    assert section.error.endswith("***")


@PROVIDERS
@pytest.mark.parametrize("address", ["in the config", "in the environment"])
async def test_a_server_of_ones_own_needs_no_key(
    api: Api, provider: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue #7: compatible APIs by their address; Ollama, vLLM and the like have no keys."""
    monkeypatch.delenv(f"{provider.upper()}_API_KEY")
    evals = settings(api, provider, OSLO)
    if address == "in the environment":
        monkeypatch.setenv(f"{provider.upper()}_BASE_URL", evals.pop("base_url"))

    section, _ = await evaluate(tmp_path, evals)

    assert section.passed


@PROVIDERS
async def test_without_its_extra_the_phase_says_what_to_install(
    provider: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, provider, None)
    evals = {"provider": provider, "model": "scripted", "cases": [OSLO]}

    section, _ = await evaluate(tmp_path, evals)

    assert section.error is not None
    assert section.error.startswith(f"the package {provider} is not installed; 1 answer of 1")
    assert section.hint == f"Install it: pip install 'toolproof[{provider}]'."


@PROVIDERS
async def test_an_unknown_model_says_what_to_check(api: Api, provider: str, tmp_path: Path) -> None:
    section, _ = await evaluate(
        tmp_path, settings(api, provider, {"prompt": "status 404", "expect_tool": None})
    )

    assert section.hint == "Check evals.model and evals.base_url."


@PROVIDERS
async def test_parallel_calls_are_all_judged(api: Api, provider: str, tmp_path: Path) -> None:
    both = {
        "prompt": "pick weather {} + pick news_today {}",
        "expect_tool": "weather",
        "acceptable_tools": ["news.today"],
    }
    forbidden = {**both, "acceptable_tools": [], "forbid_tools": ["news.today"], "name": "f"}

    section, _ = await evaluate(tmp_path, settings(api, provider, both, forbidden))

    assert section.cases[0].passed
    assert section.cases[1].failures == ("called 'news.today', which is forbidden here",)


@PROVIDERS
async def test_no_tool_can_be_what_is_wanted(api: Api, provider: str, tmp_path: Path) -> None:
    nothing = {"prompt": "nothing, please", "expect_tool": None}
    missing = {"prompt": "nothing again", "expect_tool": "weather"}

    section, _ = await evaluate(tmp_path, settings(api, provider, nothing, missing))

    assert [case.passed for case in section.cases] == [True, False]
    assert section.abstained == 1


@PROVIDERS
async def test_a_committed_cache_replays_without_a_key(
    api: Api, provider: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evals = settings(api, provider, OSLO, repeat=3)
    first, _ = await evaluate(tmp_path, evals)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.delenv("OPENAI_API_KEY")
    asked = len(api.asked)

    again, _ = await evaluate(tmp_path, evals)

    assert (asked, len(api.asked)) == (3, 3)
    assert (first.cached, again.cached) == (0, 3)
    assert again.passed
    assert again.cases[0].cached
    files = list((tmp_path / ".toolproof/cache").iterdir())
    assert len(files) == 3
    assert all("sk-test" not in file.read_text("utf-8") for file in files)


@PROVIDERS
async def test_without_key_and_cache_the_phase_says_so(
    provider: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    section, _ = await evaluate(tmp_path, {"provider": provider, "model": "m", "cases": [OSLO]})

    assert section.error is not None
    assert "there is no key" in section.error
    assert "the cache is empty" in section.error
    assert not section.passed


async def test_a_cache_of_another_tool_list_is_told(
    api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evals = settings(api, "openai", OSLO)
    await evaluate(tmp_path, evals)
    monkeypatch.delenv("OPENAI_API_KEY")

    section, _ = await evaluate(tmp_path, {**evals, "base_url": None, "distractors": 2})

    assert section.error is not None
    assert "was given to another tool list" in section.error


async def test_no_cache_asks_anew_and_replaces(api: Api, tmp_path: Path) -> None:
    evals = settings(api, "openai", OSLO)
    await evaluate(tmp_path, evals)

    await evaluate(tmp_path, evals, phase_options={"no_cache": True})

    assert len(api.asked) == 2
    assert len(list((tmp_path / ".toolproof/cache").iterdir())) == 1


async def test_cache_false_keeps_nothing(api: Api, tmp_path: Path) -> None:
    await evaluate(tmp_path, settings(api, "openai", OSLO, cache=False))

    assert not (tmp_path / ".toolproof").exists()


async def test_the_budget_holds_before_a_call_is_made(api: Api, tmp_path: Path) -> None:
    cases = [{**OSLO, "name": f"case {i}"} for i in range(30)]
    params = {"price_per_mtok": [100.0, 100.0], "max_tokens": 20}
    evals = settings(api, "openai", *cases, params=params, max_cost_usd=0.1, cache=False)

    section, _ = await evaluate(tmp_path, evals)

    assert section.error is not None
    assert "max_cost_usd" in section.error
    assert section.cost_usd is not None
    assert 0 < section.cost_usd <= 0.1
    assert 0 < len(api.asked) < 30
    assert "price_per_mtok" not in json.dumps(api.asked)


@PROVIDERS
@pytest.mark.parametrize("prompt", ["garbage", "no choices", "bad arguments", "slow"])
async def test_an_answer_that_is_of_no_use_may_cost_all_the_same(
    api: Api, provider: str, prompt: str, tmp_path: Path
) -> None:
    """Spec: `max_cost_usd` stops before it is passed; an API charges for what nobody can read."""
    cases = [{"prompt": prompt, "name": f"case {i}", "expect_tool": "weather"} for i in range(30)]
    params = {"price_per_mtok": [100.0, 100.0], "max_tokens": 20}
    more = {"params": params, "max_cost_usd": 0.1, "timeout_s": 0.05 if prompt == "slow" else 30}

    section, _ = await evaluate(tmp_path, settings(api, provider, *cases, **more))

    assert section.cost_usd is not None
    assert 0 < section.cost_usd <= 0.1
    assert "max_cost_usd" in (section.error or "")
    assert len(api.asked) < 30


async def test_a_budget_without_prices_is_a_mistake_that_is_told(api: Api, tmp_path: Path) -> None:
    section, _ = await evaluate(tmp_path, settings(api, "openai", OSLO, max_cost_usd=1))

    assert section.error is not None
    assert section.hint is not None
    assert "price_per_mtok" in section.hint
    assert api.asked == []


async def test_repeats_give_pass_hat_k_and_an_interval(api: Api, tmp_path: Path) -> None:
    wrong = {"prompt": "pick news_today {}", "expect_tool": "weather"}

    section, _ = await evaluate(
        tmp_path, settings(api, "openai", OSLO, wrong, repeat=3, min_accuracy=0.5)
    )

    facts = dict(section.outcomes(None)[-1].facts)
    assert facts["pass^3"] == "50.0%"
    assert facts["confused"] == "weather with news.today 3 times"
    assert facts["model"] == "scripted (openai)"
    assert facts["tokens"] == "600 in, 60 out"
    assert section.answers == 6
    assert section.pass_k == (0.5, 0.5, 0.5)
    assert section.accuracy_low < 0.5 < section.accuracy_high
    assert section.passed


async def test_the_lower_bound_can_be_a_gate_too(api: Api, tmp_path: Path) -> None:
    section, _ = await evaluate(tmp_path, settings(api, "openai", OSLO, min_accuracy_lower=0.9))

    assert not section.passed
    assert [outcome.name for outcome in section.outcomes(None)][-1] == "accuracy (lower bound)"


async def test_shuffled_tools_come_in_another_order_from_the_second_time_on(
    api: Api, tmp_path: Path
) -> None:
    await evaluate(tmp_path, settings(api, "openai", OSLO, repeat=6, shuffle=True, distractors=4))

    orders = {tuple(tool["function"]["name"] for tool in request["tools"]) for request in api.asked}
    assert all(len(order) == 6 for order in orders)
    assert len(orders) > 2
    assert any(order[:2] == ("weather", "news_today") for order in orders)


async def test_several_prompts_of_a_case_are_all_asked(api: Api, tmp_path: Path) -> None:
    case = {"prompt": ["pick weather {}", "pick news_today {}"], "expect_tool": "weather"}

    section, _ = await evaluate(tmp_path, settings(api, "openai", case))

    assert section.answers == 2
    assert section.cases[0].failures == (
        "expected 'weather', went to 'news.today' instead (1 answer of 2 wrong)",
    )


async def test_a_prompt_that_names_the_tool_is_told(api: Api, tmp_path: Path) -> None:
    _, notes = await evaluate(tmp_path, settings(api, "openai", {**OSLO, "forbid_tools": ["gone"]}))

    said = [note.message for note in notes]
    assert any("holds the tool's name 'weather'" in message for message in said)
    assert any("lists no tool 'gone'" in message for message in said)


async def test_a_word_that_holds_a_name_does_not_name_the_tool(api: Api, tmp_path: Path) -> None:
    prompts = {"prompt": ["weathering the storm", "Weather, please"], "expect_tool": "weather"}

    _, notes = await evaluate(tmp_path, settings(api, "openai", prompts))

    said = [note.message for note in notes if "holds the tool's name" in note.message]
    assert len(said) == 1


PROGRAM = """
import json, sys
question = json.load(sys.stdin)
prompt = question["prompt"]
if prompt == "die": sys.exit("out of order")
if prompt == "noise": print("hello"); sys.exit()
if prompt == "odd": print(json.dumps({"calls": [{"nome": 1}]})); sys.exit()
if prompt == "tell": import os; sys.exit(os.environ["SOME_SERVICE_TOKEN"])
if prompt == "sorry": print(json.dumps({"error": "the model is asleep"})); sys.exit()
name = question["tools"][0]["name"]
print(json.dumps({"calls": [{"name": name, "arguments": {"city": "Oslo"}}], "cost_usd": 0.01,
                  "usage": {"input_tokens": 5, "output_tokens": 1}}))
"""


def program(folder: Path, *cases: dict[str, Any], **more: Any) -> dict[str, Any]:
    (folder / "model.py").write_text(PROGRAM, encoding="utf-8")
    base = {"provider": "command", "command": [sys.executable, "model.py"], "cases": list(cases)}
    return {**base, **more}


async def test_a_program_answers_as_its_schema_says(tmp_path: Path) -> None:
    section, _ = await evaluate(tmp_path, program(tmp_path, {**OSLO, "prompt": "go"}))

    assert section.passed
    assert dict(section.outcomes(None)[-1].facts)["cost"] == "$0.0100"
    assert section.cost_usd == 0.01
    assert section.input_tokens == 5


def test_the_command_prints_the_schema_of_an_answer() -> None:
    done = CliRunner().invoke(schema, ["eval-command"])

    assert json.loads(done.output) == ANSWER_SCHEMA


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("die", "ended with 1: out of order"),
        ("tell", "ended with 1: ***"),
        ("noise", "expected one JSON object on stdout, got 'hello'"),
        ("odd", "not as it should be: at /calls/0"),
        ("sorry", "the model is asleep"),
    ],
)
async def test_what_a_program_does_wrong_is_told(
    tmp_path: Path, prompt: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_SERVICE_TOKEN", "t0ken-of-a-service")

    section, _ = await evaluate(tmp_path, program(tmp_path, {**OSLO, "prompt": prompt}))

    assert section.error is not None
    assert words in section.error


async def test_a_program_may_leave_the_question_unread(tmp_path: Path) -> None:
    answer = """print('{"calls": [{"name": "weather"}]}')"""
    long = {"prompt": "w " * 200_000, "name": "long", "expect_tool": "weather"}
    command = [sys.executable, "-c", answer]

    section, _ = await evaluate(
        tmp_path, {"provider": "command", "command": command, "cases": [long]}
    )

    assert section.passed


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
async def test_a_program_that_is_silent_is_ended_with_its_children(tmp_path: Path) -> None:
    mark = tmp_path / "still there"
    script = f"(sleep 1; touch '{mark}') & wait"
    evals = {"provider": "command", "command": ["sh", "-c", script], "timeout_s": 0.2}

    section, _ = await evaluate(tmp_path, {**evals, "cases": [OSLO]})
    await anyio.sleep(1.2)

    assert section.error is not None
    assert "sh gave no answer within 0.2 s" in section.error
    assert not mark.exists()


@PROVIDERS
async def test_an_api_that_cannot_be_reached_ends_the_evals(
    api: Api, provider: str, tmp_path: Path
) -> None:
    cases = [{"prompt": f"case {i}", "expect_tool": "weather"} for i in range(40)]
    evals = settings(api, provider, *cases, base_url="http://127.0.0.1:9")

    section, _ = await evaluate(tmp_path, evals)

    assert section.error is not None
    assert section.error.startswith("the API cannot be reached at http://127.0.0.1:9: ")
    assert section.error.endswith("(5 tries)")
    assert section.hint == "Check evals.base_url and the network."


@PROVIDERS
async def test_a_parameter_that_nobody_knows_is_named(
    api: Api, provider: str, tmp_path: Path
) -> None:
    section, _ = await evaluate(tmp_path, settings(api, provider, OSLO, params={"heat": 1}))

    assert section.error == "evals.params: the SDK knows no parameter 'heat'"


@PROVIDERS
async def test_a_parameter_of_the_wrong_type_is_the_apis_to_refuse(
    api: Api, provider: str, tmp_path: Path
) -> None:
    section, _ = await evaluate(tmp_path, settings(api, provider, OSLO, params={"max_tokens": "x"}))

    assert api.asked[0]["max_tokens"] == "x"
    assert section.answers == 1


async def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    evals = {"provider": "command", "command": ["no-such-program"], "cases": [OSLO]}

    section, _ = await evaluate(tmp_path, evals)

    assert section.error is not None
    assert "no-such-program cannot be started" in section.error
    assert section.hint == "Check evals.command."
