"""The planted-bug server: each bug shows itself to its witness, and none where bugs are off."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from benchmarks.planted import serving
from benchmarks.planted.validate import problem, same
from benchmarks.planted.world import CLEARS, TOOLS
from toolproof.phases.fuzz.generate import Plan, Stage
from toolproof.report.fuzz import InputMode

FOLDER = Path(serving.__file__).parent
BUGS: list[dict[str, Any]] = json.loads((FOLDER / "bugs.json").read_text(encoding="utf-8"))
ENDED = b"(ended)"
WITNESSED = [bug for bug in BUGS if bug["witness"]]
LIMIT_S = 30.0
HANGS_S = 1.0
"""So long the answer of a bug that hangs is waited for: it never comes."""


class Server:
    """A process of the planted server, started anew when it has ended."""

    def __init__(self, *options: str) -> None:
        self.command = [sys.executable, str(FOLDER / "server.py"), *options]
        self.ids = 0
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        self.ask("ping", {}, LIMIT_S)

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()

    def ask(self, method: str, params: dict[str, Any], limit_s: float) -> bytes:
        """Everything that comes until a ping after the request is answered, or the server ends."""
        assert self.process.stdin
        assert self.process.stdout
        self.ids += 1
        asked = {"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params}
        ping = {"jsonrpc": "2.0", "id": f"end {self.ids}", "method": "ping"}
        alarm = threading.Timer(limit_s, self.process.kill)
        alarm.start()
        self.process.stdin.write(b"%b\n%b\n" % (dumped(asked), dumped(ping)))
        lines = []
        for line in self.process.stdout:
            if f"end {self.ids}".encode() in line:
                break
            lines.append(line)
        else:
            lines.append(ENDED)
        alarm.cancel()
        return b"".join(lines)

    def transcript(self, steps: list[Any], limit_s: float = LIMIT_S) -> list[bytes]:
        """What is written for each step, until the server ends; then it is started again."""
        told: list[bytes] = []
        first: dict[str, Any] = {}
        for tool, arguments in steps:
            params = {} if arguments is None else {"arguments": filled(arguments, first)}
            method, params = (
                (tool, {}) if tool == "tools/list" else ("tools/call", {"name": tool, **params})
            )
            told.append(self.ask(method, params, limit_s))
            if told[-1].endswith(ENDED):
                self.stop()
                self.start()
                break
            if not first:
                first = id_of(told[-1])
        return told


def dumped(message: Any) -> bytes:
    return json.dumps(message).encode()


@contextmanager
def serving_with(*options: str) -> Iterator[Server]:
    server = Server(*options)
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Server, Server]]:
    """With bugs on, and off."""
    with serving_with() as on, serving_with("--off") as off:
        yield on, off


def id_of(answer: bytes) -> dict[str, Any]:
    try:
        found = json.loads(answer)["result"]["structuredContent"]
    except (ValueError, KeyError):
        return {}
    return found if isinstance(found, dict) else {}


def filled(arguments: Any, first: dict[str, Any]) -> Any:
    """With the id that the first step gave in place of "$0"."""
    if not isinstance(arguments, dict):
        return arguments
    given = next(iter(first.values()), None)
    return {name: given if value == "$0" else value for name, value in arguments.items()}


@pytest.mark.parametrize("bug", WITNESSED, ids=lambda bug: bug["id"])
def test_a_bug_shows_itself_to_its_witness_and_only_while_bugs_are_on(
    bug: dict[str, Any], servers: tuple[Server, Server]
) -> None:
    on, off = servers
    expected = off.transcript(bug["witness"])

    told = on.transcript(bug["witness"], HANGS_S if "hang" in bug["kinds"] else LIMIT_S)

    assert all(answer.count(b"\n") == 1 for answer in expected)
    assert [without_id(answer) for answer in told] != [without_id(answer) for answer in expected]
    assert told[-1].endswith(ENDED) is bool({"crash", "hang"} & set(bug["kinds"])) or (
        bug["id"] == "hang-lost-reply" and not told[-1]
    )


def without_id(answer: bytes) -> bytes:
    return re.sub(rb'"id": ?(\d+),', b"", answer)


def test_the_variable_turns_bugs_off_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED", "off")

    with serving_with() as server:
        answers = server.transcript([["average_score", {"scores": []}]])

    assert b"There are no scores" in answers[0]


def test_each_bug_has_a_name_of_its_own_and_is_on_a_tool_that_exists() -> None:
    assert len({bug["id"] for bug in BUGS}) == len(BUGS)
    assert {bug["tool"] for bug in BUGS} <= set(TOOLS)
    assert len(BUGS) >= 48


def test_there_are_controls() -> None:
    good = [name for name, tool in TOOLS.items() if tool.run.__module__.endswith("controls")]

    assert len(good) >= 15
    assert not {bug["tool"] for bug in BUGS} & set(good)


def test_both_revisions_of_the_protocol_are_answered() -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    with serving_with() as server:
        modern = json.loads(server.ask("server/discover", {"_meta": meta}, LIMIT_S))
        legacy = json.loads(server.ask("initialize", {"protocolVersion": "2025-06-18"}, LIMIT_S))
        odd = json.loads(server.ask("resources/list", {}, LIMIT_S))

    assert modern["result"]["supportedVersions"] == ["2026-07-28"]
    assert legacy["result"]["protocolVersion"] == "2025-06-18"
    assert odd["error"]["code"] == -32601


def test_calls_of_harmful_tools_are_noted(tmp_path: Path) -> None:
    record = tmp_path / "calls"

    with serving_with("--record", str(record)) as server:
        server.transcript([["clear_archive", {}], ["pay_invoice", {"amount": 1}]])

    assert record.read_text(encoding="utf-8").split() == ["clear_archive", "pay_invoice"]
    assert TOOLS["clear_archive"].hints == CLEARS


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_with_bugs_off_a_tool_takes_what_fits_its_schema_and_nothing_else(name: str) -> None:
    """The server's own small validator agrees with the one that labels the fuzzer's inputs."""
    schema = TOOLS[name].schema
    plan = Plan(schema, seed=1)
    for stage in (Stage.COVERAGE, Stage.DICTIONARY, Stage.RANDOM):
        for mode in InputMode:
            for case in islice(plan.cases(stage, mode), 60):
                if isinstance(case.arguments, dict):
                    fits = problem(schema, case.arguments) is None
                    assert fits is (mode is InputMode.VALID), case


def test_equal_means_equal_as_json() -> None:
    assert same({"a": [1, 2.0]}, {"a": [1.0, 2]})
    assert not same(1, True)
    assert not same([1], [1, 1])
