"""Rule `prompt-invalid`."""

from collections.abc import Iterator, Mapping
from typing import Any

from toolproof.phases.checks.rule import Evidence, Flaw, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_REVIEW = {"name": "review", "description": "Asks for a review of some code."}


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="A listed prompt is not valid",
    fix="Correct the entry: a name of its own, and a list of arguments that have a name each.",
    source="MCP 2026-07-28 server/prompts, Prompt",
    bad=Evidence(prompts=[_REVIEW | {"arguments": {"code": {"required": True}}}]),
    good=Evidence(prompts=[_REVIEW | {"arguments": [{"name": "code", "required": True}]}]),
)
def prompt_invalid(evidence: Evidence) -> Iterator[Flaw]:
    """Clients cannot ask for the arguments, or for the prompt at all; typed ones drop the whole list."""
    seen: dict[str, int] = {}
    for index, entry in enumerate(evidence.prompts):
        name = _name(entry)
        flaws = list(_flaws(entry))
        if name:
            seen[name] = seen.get(name, 0) + 1
            if seen[name] > 1:
                flaws.append("its name is that of an earlier prompt")
        if flaws:
            called = f"prompt {quoted(name, 60)}" if name else f"the prompt at {index}"
            nth = f", {seen[name]}" if name and seen[name] > 1 else ""
            subject = f"prompt {name}{nth}" if name else f"prompt at {index}"
            yield Flaw(f"{called}: {'; '.join(flaws)}", subject=subject)


def _flaws(entry: Any) -> Iterator[str]:
    if not isinstance(entry, Mapping):
        yield "it is no object"
        return
    if not _name(entry):
        yield "it has no name"
    arguments = entry.get("arguments", [])
    if not isinstance(arguments, list):
        yield f"its arguments are {quoted(arguments, 40)}, a list is due"
        return
    bad = [index for index, one in enumerate(arguments) if not _name(one)]
    if bad:
        yield f"its argument at {bad[0]} has no name"


def _name(entry: Any) -> str:
    """The name of a prompt or an argument; empty where there is none that can be used."""
    name = entry.get("name") if isinstance(entry, Mapping) else None
    return name if isinstance(name, str) and name.strip() else ""
