"""A rule's docs page, and the index of all, made from the rules alone."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from toolproof.connection.observations import ObservationLog
from toolproof.phases.checks.rule import Evidence, Profile, Rule
from toolproof.report import Answer, CallSeen, Check, ConnectionLost, Malformed, RpcError, TimedOut
from toolproof.text import shorten

FAMILIES: Mapping[Check, str] = {
    Check.NAME: "Names",
    Check.DUPLICATE_NAME: "Names that come twice",
    Check.DESCRIPTION: "Descriptions",
    Check.DESCRIPTION_LENGTH: "Lengths of descriptions",
    Check.INPUT_SCHEMA: "Schemas of arguments and results",
    Check.OUTPUT_SCHEMA: "Schemas of results",
    Check.REQUIRED_FIELDS: "Required fields",
    Check.CLIENTS: "What clients refuse or mangle",
    Check.QUALITY: "What makes a tool hard to call rightly",
    Check.ANNOTATIONS: "Annotations",
    Check.TEXT: "Texts that models read",
    Check.SIZE: "Size",
    Check.PROTOCOL: "The protocol",
}
"""The families, in the order of the index, by what they are about."""

_MOST_ENTRIES = 3  # of a list, in an example
_LONGEST = 300  # characters of a string there

_SPECIFICATION = "https://modelcontextprotocol.io/specification"
_MCP = re.compile(r"MCP (\d{4}-\d\d-\d\d) ([\w./ -]+?)(?:, (.+))?")
_ISSUE = re.compile(r"([\w.-]+/[\w.-]+)#(\d+)")
_RFC = re.compile(r"RFC (\d{3,5})")


def render_page(rule: Rule) -> str:
    """The Markdown page of a rule: for the docs and for `toolproof rules ID`."""
    raised = ", ".join(profile for profile in Profile if profile in rule.error_for)
    facts = [f"**{rule.severity}**", f"family `{rule.check}`"]
    if raised:
        facts.append(f"error with the client profiles {raised}")
    if rule.probe:
        facts.append("found only by the phase `protocol`")
    elif rule.calls:
        facts.append("found only where tools are called")
    parts = [
        f"# {rule.id}",
        f"{rule.title}.",
        " · ".join(facts),
        "## Why it matters",
        rule.why,
        "## Example",
        f"Reported:\n\n{_example(rule.bad)}",
        f"Not reported:\n\n{_example(rule.good)}",
        "## What to do",
        rule.fix,
        "## Leave it out",
        f'```yaml\nchecks:\n  ignore:\n    - {{ rule: {rule.id}, reason: "why" }}\n```',
        "## Sources",
        "\n".join(f"- {_linked(part)}" for part in rule.source.split("; ")),
    ]
    return "\n\n".join(parts) + "\n"


def render_index(rules: Iterable[Rule]) -> str:
    """The page that lists all rules, family by family."""
    order = list(FAMILIES)
    ordered = sorted(rules, key=lambda rule: (order.index(rule.check), rule.id))
    lead = (
        f"toolproof has {len(ordered)} rules. `toolproof rules` lists them, `toolproof rules ID` "
        "explains one. An error fails a run, a warning is shown, an info is a hint."
    )
    parts = ["# Rules", lead]
    for check, family in groupby(ordered, key=lambda rule: rule.check):
        rows = [
            f"| [{rule.id}]({rule.id}.md) | {rule.severity} | {rule.title} |" for rule in family
        ]
        head = "| rule | severity | what it finds |\n| --- | --- | --- |"
        parts.append(f"## {FAMILIES[check]}: `{check}`")
        parts.append("\n".join([head, *rows]))
    return "\n\n".join(parts) + "\n"


def _example(evidence: Evidence) -> str:
    shown = [
        *evidence.entries,
        *({"resource": entry} for entry in evidence.resources),
        *({"resource template": entry} for entry in evidence.resource_templates),
        *({"prompt": entry} for entry in evidence.prompts),
        *_seen(evidence.observations),
        *map(_call, evidence.calls),
    ]
    if not shown:
        return "A server on which nothing of the kind is seen."
    value = _short(shown if len(shown) > 1 else shown[0])
    text = json.dumps(value, indent=2, ensure_ascii=False)
    seen = "".join(char if char.isprintable() or char == "\n" else _escaped(char) for char in text)
    return f"```json\n{seen}\n```"


def _escaped(char: str) -> str:
    """A character that nobody could see on the page, as JSON escapes it."""
    return json.dumps(char)[1:-1]


def _seen(log: ObservationLog) -> list[dict[str, Any]]:
    return [
        {"seen": str(one.kind), "detail": one.detail}
        | ({"tool": one.tool} if one.tool else {})
        | ({"request": one.method} if one.method else {})
        for seen in log
        for one in seen.kept
    ]


def _call(call: CallSeen) -> dict[str, Any]:
    result = call.result
    made: dict[str, Any] = {"called": result.tool, "arguments": result.arguments}
    schema = call.tool.output_schema if call.tool else None
    if schema:
        made["outputSchema"] = schema
    match result.reply:
        case Answer(raw=raw):
            made["result"] = dict(raw)
        case RpcError(code=code, message=message):
            made["error"] = {"code": code, "message": message}
        case TimedOut(limit_s=limit_s):
            made["timed out after"] = f"{limit_s:g} s"
        case ConnectionLost(reason=reason):
            made["connection lost"] = reason
        case Malformed(detail=detail):
            made["malformed"] = detail
    return made


def _short(value: Any) -> Any:
    """The value with long strings shortened, and long lists cut, so that a page can be read."""
    if isinstance(value, str):
        return shorten(value, _LONGEST)
    if isinstance(value, Mapping):
        return {key: _short(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        kept = [_short(item) for item in value[:_MOST_ENTRIES]]
        left = len(value) - len(kept)
        return [*kept, f"… and {left:,} more"] if left else kept
    return value


def _linked(source: str) -> str:
    """A source as a link, where it is one of those that have a known address."""
    if mcp := _MCP.fullmatch(source):
        page = mcp[2].split(" and ")[0].strip()
        words = f"MCP {mcp[1]}, {mcp[2]}" + (f": {mcp[3]}" if mcp[3] else "")
        return f"[{words}]({_address(mcp[1], page)})"
    if issue := _ISSUE.fullmatch(source):
        return f"[{source}](https://github.com/{issue[1]}/issues/{issue[2]})"
    if rfc := _RFC.fullmatch(source):
        return f"[{source}](https://www.rfc-editor.org/rfc/rfc{rfc[1]})"
    return source


def _address(revision: str, page: str) -> str:
    return f"{_SPECIFICATION}/{revision}/{page}"
