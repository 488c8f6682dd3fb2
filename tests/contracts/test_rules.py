"""Every rule, held to the same promises."""

import importlib
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from toolproof.phases.checks.engine import Checked, check, raise_broken
from toolproof.phases.checks.page import render_index, render_page
from toolproof.phases.checks.rule import Evidence, Rule
from toolproof.phases.checks.rules import all_rules
from toolproof.phases.checks.vocabulary import KEYWORDS
from toolproof.report import (
    Severity,
)
from toolproof.schemas import steps_of, value_at

RULES = all_rules()
CONFIG = SimpleNamespace(max_description_length=1024, max_tokens=None, clients=(), ignore=())
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)

TABLE = Path(__file__).with_name("rules.txt").read_text(encoding="utf-8")
"""Each rule with its family, severity and the profiles that make it an error: the public promise."""


def checked(evidence: Evidence) -> Checked:
    found = check(evidence, CONFIG)
    raise_broken(found.notes)
    return found


def broken_by(evidence: Evidence) -> set[str]:
    """The rules of severity error and warning that it breaks."""
    problems = checked(evidence).problems
    return {problem.rule for problem in problems if problem.severity is not Severity.INFO}


def broken_at_all(evidence: Evidence) -> set[str]:
    return {problem.rule for problem in checked(evidence).problems}


# What each rule promises


def test_the_rules_are_exactly_those_of_the_table() -> None:
    """Ours: ids, families and severities are the public interface."""
    wanted = [line.split() for line in TABLE.splitlines()]
    found = [
        [rule.id, str(rule.check), str(rule.severity), ",".join(sorted(rule.error_for)) or "-"]
        for rule in RULES
    ]

    assert len(RULES) == 114
    assert sorted(found) == sorted(
        [name, family, severity, ",".join(sorted(clients.split(",")))]
        for name, family, severity, clients in wanted
    )


@every_rule
def test_bad_example_breaks_this_rule_and_no_other_above_info(rule: Rule) -> None:
    assert rule.id in broken_at_all(rule.bad)
    assert broken_by(rule.bad) <= {rule.id}


@every_rule
def test_good_example_breaks_no_rule_above_info(rule: Rule) -> None:
    assert rule.id not in broken_at_all(rule.good)
    assert broken_by(rule.good) == set()


@every_rule
def test_message_is_one_plain_line_that_can_be_acted_on(rule: Rule) -> None:
    problems = [p for p in checked(rule.bad).problems if p.rule == rule.id]

    for problem in problems:
        assert problem.message.isprintable()
        assert not problem.message.endswith(".")
        assert len(_without_quotes(problem.message)) < 200
        assert len(problem.message) < 400
        assert problem.fix.endswith(".")
        assert problem.severity is rule.severity or rule.id in SEVERITY_VARIES


SEVERITY_VARIES = {"type-union", "unknown-tool", "version-negotiation", "name-length"}


def _without_quotes(message: str) -> str:
    return re.sub(r"'[^']*'|\"[^\"]*\"|\{[^}]*\}|\([^)]*\)|/[\w/$]+", "", message)


@every_rule
def test_pointer_leads_to_something_in_the_definition(rule: Rule) -> None:
    definitions = {tool.label: tool.raw for tool in rule.bad.tools}
    definitions |= {call.result.tool: call.tool.raw for call in rule.bad.calls if call.tool}

    for problem in checked(rule.bad).problems:
        if problem.pointer is not None and problem.tool in definitions:
            value_at(definitions[problem.tool], steps_of(problem.pointer))


SOURCE = re.compile(
    r"MCP \d{4}-\d\d-\d\d .+|[\w.-]+/[\w.-]+#\d+|RFC \d+|SEP-\d+|JSON-RPC 2\.0|JSON Schema .+"
    r"|general practice|product specification|server/utilities/caching"
)


@every_rule
def test_metadata_reads_like_that_of_the_others(rule: Rule) -> None:
    assert rule.why.endswith((".", ")"))
    assert rule.fix.endswith(".")
    assert rule.fix[0].isupper()
    assert (
        rule.title[0].isupper()
        or rule.title.split()[0] in {"ping", "readOnlyHint", "$ref"}
        or (rule.title.split()[0].rstrip(",") in KEYWORDS)
    )
    assert not rule.title.endswith(".")
    assert "!" not in rule.title + rule.fix + rule.why
    assert all(SOURCE.fullmatch(part) for part in rule.source.split("; "))
    assert rule.url.endswith(f"/{rule.id}.md")
    assert rule.card.id == rule.id


@every_rule
def test_rule_stands_in_the_file_of_its_name(rule: Rule) -> None:
    name = rule.id.replace("-", "_")
    module = importlib.import_module(f"toolproof.phases.checks.rules.{name}")

    assert getattr(module, name) is rule
    assert (module.__doc__ or "").startswith(f"Rule `{rule.id}`")


@every_rule
def test_page_says_all_about_the_rule_and_shows_its_examples(rule: Rule) -> None:
    page = render_page(rule)

    for text in (rule.id, rule.check, rule.severity, rule.title, rule.why, rule.fix):
        assert text in page
    for block in re.findall(r"```json\n(.*?)\n```", page, re.DOTALL):
        json.loads(block)
    assert all(line.isprintable() for line in page.splitlines())


def test_index_lists_each_rule_once() -> None:
    index = render_index(RULES)

    for rule in RULES:
        assert index.count(f"[{rule.id}]({rule.id}.md)") == 1
