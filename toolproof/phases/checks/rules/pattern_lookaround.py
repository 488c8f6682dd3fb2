"""Rule `pattern-lookaround`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import has_lookaround
from toolproof.text import quoted

_CODE = {"type": "string", "description": "The code of the city."}


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Pattern looks ahead or behind",
    fix="Use format, or a plain pattern.",
    source="cline/cline#14019; Dokploy/mcp#45; can1357/oh-my-pi#2784",
    error_for=["openai"],
    bad=listing(sample(inputSchema=taking(city=CITY, code=_CODE | {"pattern": "^(?!XX)[A-Z]+$"}))),
    good=listing(sample(inputSchema=taking(city=CITY, code=_CODE | {"pattern": "^[A-Z]+$"}))),
)
@each_tool
def pattern_lookaround(tool: Definition) -> Iterator[Flaw]:
    """OpenAI refuses the whole request over one; engines that run in linear time have none."""
    if tool.input is None or tool.input.dialect is None:
        return
    for node in tool.input.having("pattern"):
        pattern = node.schema["pattern"]
        if isinstance(pattern, str) and has_lookaround(pattern):
            yield Flaw(
                f"pattern {quoted(pattern, 60)} at {node.place} looks ahead or behind; OpenAI "
                "refuses it",
                f"{node.pointer}/pattern",
            )
