"""Probes against real servers that have one fault each, and against good ones of both eras."""

from typing import Any

import pytest

from tests.running import case, rules_of, run


@pytest.mark.parametrize(
    ("name", "rule", "severity"),
    [
        ("behaviour/020", "unknown-tool", "error"),
        ("behaviour/036", "list-order", "warning"),
        ("behaviour/040", "version-negotiation", "warning"),
        ("behaviour/061", "resource-read", "error"),
        ("behaviour/062", "prompt-get", "error"),
        ("behaviour/063", "ping-unsupported", "warning"),
    ],
)
async def test_a_probe_shows_what_is_wrong_and_nothing_else(
    name: str, rule: str, severity: str
) -> None:
    report = await run(case(name), "checks", "protocol")

    assert rules_of(report) == {rule}
    assert rules_of(report, severity) == {rule}


@pytest.mark.parametrize("name", ["behaviour/001", "behaviour/028", "behaviour/069"])
async def test_a_good_server_passes_every_probe(name: str) -> None:
    report = await run(case(name), "checks", "protocol")

    assert report.passed
    assert rules_of(report) == set()
    assert report.phases == ["checks", "protocol"]


async def test_a_probe_that_does_not_apply_says_why() -> None:
    report = await run(case("behaviour/069"), "protocol")

    outcomes = dict(report.groups)["protocol"]
    skipped = {o.name: o.reasons[0].message for o in outcomes if o.reasons}
    assert skipped["ping"] == "2026-07-28 has no ping"
    assert skipped["an unknown session is told"] == "over stdio there are no sessions"
    assert skipped["each resource can be read"] == "the server lists no resources"


CHANGING = """
import json, sys
calls = 0
def tools():
    found = [{"name": "grow", "description": "Adds a tool.", "inputSchema": {"type": "object"}}]
    if calls: found.append({**found[0], "name": "new"})
    if calls > 1: found[0] = {**found[0], "description": "Something else."}
    return found
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    reply = {"jsonrpc": "2.0", "id": m["id"]}
    if m["method"] == "initialize":
        reply["result"] = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                           "serverInfo": {"name": "c", "version": "1"}}
    elif m["method"] == "tools/list":
        reply["result"] = {"tools": tools()}
    elif m["method"] == "tools/call":
        calls += 1
        reply["result"] = {"content": [{"type": "text", "text": "ok"}]}
        if ANNOUNCED: print('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', flush=True)
    else:
        reply["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(reply), flush=True)
"""


def changing(announced: bool) -> list[str]:
    return ["python3", "-c", CHANGING.replace("ANNOUNCED", str(announced))]


TWO_CALLS: list[dict[str, Any]] = [{"tool": "grow", "name": "a"}, {"tool": "grow", "name": "b"}]


async def test_a_list_that_calls_change_is_seen_at_the_end() -> None:
    report = await run(changing(False), "checks", "protocol", "tests", tests=TWO_CALLS)

    found = {problem.rule: problem for problem in report.checks}
    assert "new: new" in found["list-changed-silently"].message
    assert found["definition-changed"].tool == "grow"
    assert "/description" in found["definition-changed"].message


async def test_a_change_that_was_announced_is_fine_before_2026() -> None:
    report = await run(changing(True), "checks", "protocol", "tests", tests=TWO_CALLS[:1])

    assert "list-changed-silently" not in rules_of(report)


DYING = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    if m["method"] == "toolproof/no-such-method": sys.exit(3)
    results = {"initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
               "serverInfo": {"name": "d", "version": "1"}}, "ping": {},
               "tools/list": {"tools": [{"name": "t", "description": "Does it.",
                              "inputSchema": {"type": "object", "additionalProperties": False}}]}}
    reply = {"jsonrpc": "2.0", "id": m["id"]}
    if m["method"] in results: reply["result"] = results[m["method"]]
    else: reply["error"] = {"code": -32601, "message": "no"}
    print(json.dumps(reply), flush=True)
"""


async def test_a_probe_that_ends_the_server_is_told_and_the_others_go_on() -> None:
    report = await run(["python3", "-c", DYING], "checks", "protocol")

    assert "unexpected-exit" in rules_of(report, "error")
    assert any("'an unknown method' ended the server" in note.message for note in report.notes)
    assert len(dict(report.groups)["protocol"]) == 11


PROMPTING = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    results = {"initialize": {"protocolVersion": "2025-11-25", "capabilities": {"prompts": {}},
               "serverInfo": {"name": "p", "version": "1"}}, "ping": {},
               "prompts/list": {"prompts": [{"name": "review"}]},
               "prompts/get": {"messages": [{"role": "user", "content": "Review it."}]}}
    reply = {"jsonrpc": "2.0", "id": m["id"]}
    if m["method"] in results: reply["result"] = results[m["method"]]
    else: reply["error"] = {"code": -32601, "message": "no"}
    print(json.dumps(reply), flush=True)
"""


async def test_a_prompt_whose_messages_no_client_can_read_is_told() -> None:
    report = await run(["python3", "-c", PROMPTING], "checks", "protocol")

    (problem,) = [one for one in report.checks if one.rule == "prompt-get"]
    assert "review" in problem.message
    assert "/messages/0/content is a string, one content block is due" in problem.message


async def test_a_server_of_prompts_alone_was_tested() -> None:
    report = await run(["python3", "-c", PROMPTING], "checks")

    assert report.passed
    assert [outcome.name for _, found in report.groups for outcome in found] == ["(server)"]
