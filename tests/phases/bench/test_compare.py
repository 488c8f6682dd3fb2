"""Comparing two servers: rounds of new processes, and what is said where that cannot be."""

import math
import random
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.running import DEMO
from toolproof.config import ServerConfig
from toolproof.connection import McpServer
from toolproof.connection.session import Session
from toolproof.phases.bench import compare
from toolproof.phases.bench.compare import interleaved
from toolproof.phases.bench.load import Call
from toolproof.phases.bench.stats import Ratio, joined_ratio, ratio_in_turns, student_t
from toolproof.report import Comparison

NOOP = (sys.executable, str(DEMO / "noop.py"))
CALL = Call.of("noop", {}, 10.0)

positive = st.floats(1e-3, 1e6)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "BLOCKS", 6)
    monkeypatch.setattr(compare, "MOST_ROUNDS", 3)


async def once(session: Session) -> None:
    await session.request("tools/call", CALL.params, idle_s=10)


async def comparison(
    old: tuple[str, ...], new: tuple[str, ...], *, call: Call = CALL, calls: int = 60
) -> Comparison:
    async with (
        McpServer(ServerConfig(command=old)) as before,
        McpServer(ServerConfig(command=new)) as after,
    ):
        return await interleaved(
            before, after, call, warm_up=once, calls=calls, baseline="old", seed=1
        )


async def test_each_round_has_new_processes_of_both() -> None:
    async with (
        McpServer(ServerConfig(command=NOOP)) as old,
        McpServer(ServerConfig(command=NOOP)) as new,
    ):
        found = await interleaved(old, new, CALL, warm_up=once, calls=60, baseline="old", seed=1)

    assert found.low < found.ratio < found.high
    assert old.restarts == new.restarts == 3


async def test_servers_that_start_slowly_are_started_anew_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compare, "RESTART_S", 0)
    async with (
        McpServer(ServerConfig(command=NOOP)) as old,
        McpServer(ServerConfig(command=NOOP)) as new,
    ):
        found = await interleaved(old, new, CALL, warm_up=once, calls=60, baseline="old", seed=1)

    assert old.restarts == new.restarts == 1
    assert found.high / found.low > math.exp(2 * 1.95 * compare.SPREAD)


async def test_slow_calls_end_a_round_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "ROUND_S", 0)
    monkeypatch.setattr(compare, "MOST_S", 0)

    found = await comparison(NOOP, NOOP, calls=100_000)

    assert found.low > 0


async def test_a_server_whose_calls_all_fail_has_no_ratio() -> None:
    shop = (sys.executable, str(DEMO / "server.py"))
    unknown = Call.of("no_such_tool", {}, 10.0)

    found = await comparison(shop, shop, call=unknown)

    assert found.verdict == "every call of the old server failed"
    assert compare.broken(found, None) is None


@dataclass(frozen=True)
class Ending:
    """A server that ends at a call of this number, in its process."""

    at: int

    @property
    def command(self) -> tuple[str, ...]:
        code = (
            f"import runpy, os\nmodule = runpy.run_path({str(DEMO / 'noop.py')!r})\nseen = 0\n"
            "rest = b''\n"
            "while chunk := os.read(0, 65536):\n"
            "    *lines, rest = (rest + chunk).split(b'\\n')\n"
            "    for line in lines:\n"
            "        seen += b'tools/call' in line\n"
            f"        if seen >= {self.at}: os._exit(3)\n"
            "        if line.strip(): os.write(1, module['reply'](line))\n"
        )
        return (sys.executable, "-c", code)


async def test_a_server_that_ends_while_it_is_warmed_up_is_named() -> None:
    found = await comparison(NOOP, Ending(1).command)

    assert found.verdict.startswith("the new server ended: ")


async def test_a_server_that_ends_during_the_comparison_is_named() -> None:
    found = await comparison(Ending(10).command, NOOP)

    assert found.verdict == "the old server ended during the comparison"


async def test_a_server_that_does_not_start_again_is_named(tmp_path: Path) -> None:
    once_only = tmp_path / "once.py"
    once_only.write_text(
        "import pathlib, runpy, sys\n"
        f"mark = pathlib.Path({str(tmp_path / 'mark')!r})\n"
        "sys.exit(4) if mark.exists() else mark.touch()\n"
        f"runpy.run_path({str(DEMO / 'noop.py')!r}, run_name='__main__')\n",
        encoding="utf-8",
    )

    found = await comparison(NOOP, (sys.executable, str(once_only)))

    assert found.verdict.startswith("the new server did not start again: ")


def test_a_drift_during_the_calls_cancels() -> None:
    old = [1.01 ** (2 * i) for i in range(50)]
    new = [1.2 * 1.01 ** (2 * i + 1) for i in range(50)]

    assert ratio_in_turns(old, new) == pytest.approx(1.2)
    assert ratio_in_turns([2.0], [3.0]) == pytest.approx(1.5)


@given(st.lists(st.tuples(positive, positive), min_size=1, max_size=40), st.floats(0.1, 10))
def test_a_ratio_in_turns_scales_with_the_new_calls(
    pairs: list[tuple[float, float]], factor: float
) -> None:
    old, new = [one for one, _ in pairs], [other for _, other in pairs]

    scaled = ratio_in_turns(old, [factor * value for value in new])

    assert scaled == pytest.approx(factor * ratio_in_turns(old, new))
    assert ratio_in_turns(new, new[:]) > 0


@given(
    given_rounds=st.lists(
        st.tuples(st.floats(0.5, 2), st.floats(1.0, 1.5)), min_size=1, max_size=12
    ),
    spread=st.floats(0, 0.1),
    fresh=st.booleans(),
)
def test_rounds_are_joined_between_the_least_and_the_greatest(
    given_rounds: list[tuple[float, float]], spread: float, *, fresh: bool
) -> None:
    rounds = [
        Ratio(value=value, low=value / wide, high=value * wide) for value, wide in given_rounds
    ]

    joined = joined_ratio(rounds, spread=spread, fresh=fresh)

    values = [one.value for one in rounds]
    assert min(values) - 1e-9 <= joined.value <= max(values) + 1e-9
    assert joined.low <= joined.value <= joined.high
    assert joined.high / joined.value >= math.exp(1.95 * spread / math.sqrt(len(rounds))) - 1e-9


def test_new_processes_narrow_what_they_differ_by_and_old_ones_do_not() -> None:
    sure = [Ratio(value=1.01, low=1.009, high=1.011)] * 9

    fresh = joined_ratio(sure, spread=0.02)
    same = joined_ratio(sure, spread=0.02, fresh=False)

    assert fresh.high < same.high
    assert same.low < 1 < same.high


def test_equal_programs_whose_processes_differ_are_rarely_called_slower() -> None:
    """Spread 1.5 %, and noise within a round of 1 %: one false alarm in forty is allowed."""
    rng = random.Random(5)
    alarms = 0
    for _ in range(400):
        rounds = []
        for _ in range(3):
            value = math.exp(rng.gauss(0, 0.015) + rng.gauss(0, 0.01))
            rounds.append(Ratio(value=value, low=value * 0.98, high=value * 1.02))
        alarms += joined_ratio(rounds, spread=0.015).low > 1

    assert alarms <= 12


def test_few_rounds_that_differ_much_prove_nothing() -> None:
    """The same, of processes that differ by a tenth: four draws say little of how much they do."""
    rng = random.Random(6)
    alarms = 0
    for _ in range(400):
        values = [math.exp(rng.gauss(0, 0.1)) for _ in range(4)]
        rounds = [Ratio(value=one, low=one * 0.98, high=one * 1.02) for one in values]
        alarms += joined_ratio(rounds, spread=0.015).low > 1

    assert alarms <= 16


@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 10, 20, 21, 60])
def test_students_quantile_holds_95_percent(freedom: int) -> None:
    scale = math.gamma((freedom + 1) / 2) / math.sqrt(freedom * math.pi) / math.gamma(freedom / 2)
    steps = 20_000
    width = 2 * student_t(freedom) / steps

    def density(x: float) -> float:
        return float(scale * (1 + x * x / freedom) ** (-(freedom + 1) / 2))

    held = width * sum(density(-student_t(freedom) + width * (i + 0.5)) for i in range(steps))

    assert held == pytest.approx(0.95, abs=2e-4)


async def test_each_server_is_as_often_the_first_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "MOST_ROUNDS", 4)
    started: list[McpServer] = []

    async def restarted(server: McpServer) -> None:
        started.append(server)
        await server.reconnect()

    monkeypatch.setattr(compare, "_restarted", restarted)
    async with (
        McpServer(ServerConfig(command=NOOP)) as old,
        McpServer(ServerConfig(command=NOOP)) as new,
    ):
        await interleaved(old, new, CALL, warm_up=once, calls=60, baseline="old", seed=1)

    assert started == [old, new, new, old] * 2
