import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from toolproof.connection.observations import Kind
from toolproof.phases.checks.examples import answer, called, saw
from toolproof.phases.checks.page import FAMILIES, render_index, render_page
from toolproof.phases.checks.rule import Evidence, Flaw, Rule, calling, listing, rule, seeing
from toolproof.phases.checks.rules import all_rules
from toolproof.report import Check, ConnectionLost, Malformed, RpcError, Severity, TimedOut

ROOT = Path(__file__).parents[3]
SPECIFICATION = "https://modelcontextprotocol.io/specification"


def made(bad: Evidence, **values: Any) -> Rule:
    """A rule with this example."""
    given: dict[str, Any] = {
        "check": Check.PROTOCOL,
        "severity": Severity.WARNING,
        "title": "Any",
        "fix": "Any.",
        "source": "general practice",
        "good": seeing(),
    }

    def find(_: Evidence) -> Any:
        """Because."""
        yield Flaw("any")

    return rule(bad=bad, **given | values)(find)


def example(bad: Evidence) -> Any:
    page = render_page(made(bad))
    [block] = re.findall(r"```json\n(.*?)\n```", page, re.DOTALL)
    return json.loads(block)


@pytest.mark.parametrize(
    ("source", "link"),
    [
        (
            "MCP 2026-07-28 server/tools, Tool Names",
            f"[MCP 2026-07-28, server/tools: Tool Names]({SPECIFICATION}/2026-07-28/server/tools)",
        ),
        (
            "MCP 2026-07-28 server/resources and server/prompts, Capabilities",
            f"({SPECIFICATION}/2026-07-28/server/resources)",
        ),
        (
            "acme/weather-mcp#7",
            "[acme/weather-mcp#7](https://github.com/acme/weather-mcp/issues/7)",
        ),
        ("RFC 6570", "[RFC 6570](https://www.rfc-editor.org/rfc/rfc6570)"),
        ("general practice", "- general practice"),
    ],
)
def test_a_source_is_a_link_where_it_has_an_address(source: str, link: str) -> None:
    assert link in render_page(made(seeing(), source=f"{source}; x"))


def test_the_page_says_when_a_rule_can_show_at_all() -> None:
    assert "phase `protocol`" in render_page(made(seeing(), probe=True))
    assert "where tools are called" in render_page(made(seeing(), calls=True))
    assert "profiles claude, gemini" in render_page(made(seeing(), error_for=["gemini", "claude"]))


def test_what_was_seen_and_called_is_shown() -> None:
    assert example(seeing(saw(Kind.STDOUT_BOM, "a mark", tool="a", method="tools/call"))) == {
        "seen": "stdout-bom",
        "detail": "a mark",
        "tool": "a",
        "request": "tools/call",
    }
    assert example(calling(called(answer("ok"))))["result"]["content"][0]["text"] == "ok"


@pytest.mark.parametrize(
    ("reply", "member"),
    [
        (RpcError(-32603, "x"), "error"),
        (TimedOut(3), "timed out after"),
        (ConnectionLost("x"), "connection lost"),
        (Malformed("x"), "malformed"),
    ],
)
def test_a_call_without_a_result_shows_why(reply: Any, member: str) -> None:
    assert member in example(calling(called(reply)))


def test_resources_templates_and_prompts_are_told_apart() -> None:
    evidence = Evidence(resources=[1], resource_templates=[2], prompts=[3])

    assert example(evidence) == [{"resource": 1}, {"resource template": 2}, {"prompt": 3}]


def test_long_examples_are_cut_and_nothing_in_them_is_hidden() -> None:
    shown = example(listing({"description": "x" * 9_000 + "\u200b", "enum": list(range(9))}, 7))

    assert len(shown[0]["description"]) < 400
    assert shown[0]["enum"] == [0, 1, 2, "… and 6 more"]
    assert "\u200b" not in render_page(made(listing({"a": "\u200b"})))


def test_every_family_has_a_heading() -> None:
    assert set(FAMILIES) == set(Check)
    assert "## Size: `size`" in render_index(all_rules())


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    path = ROOT / "scripts" / "generate.py"
    spec = importlib.util.spec_from_file_location("generate", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_of_the_rules_are_fresh(generate: ModuleType) -> None:
    """Architecture: what can drift is generated; run `make generate`."""
    made = generate.rule_pages()

    assert generate.stale(made) == []
    assert generate.left_over(made) == []


def test_stale_missing_and_left_over_pages_are_written_and_told(
    generate: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    made = {"docs/a.md": generate.GENERATED + "a\n", "docs/b.md": generate.GENERATED + "b\n"}
    monkeypatch.setattr(generate, "MAKERS", (lambda: made,))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("old", encoding="utf-8")
    (tmp_path / "docs/gone.md").write_text(generate.GENERATED, encoding="utf-8")
    (tmp_path / "docs/own.md").write_text("written by hand", encoding="utf-8")

    assert generate.main(["--check"]) == 1
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "docs/a.md",
        "docs/b.md",
        "docs/gone.md",
    ]
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    assert sorted(path.name for path in (tmp_path / "docs").iterdir()) == ["a.md", "b.md", "own.md"]
