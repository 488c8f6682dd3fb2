"""Rule `output-schema-root`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_FIRST_WITHOUT_LIMIT = "2026-07-28"
_REPORT = {"type": "object", "properties": {"report": {"type": "string"}}, "required": ["report"]}


@rule(
    check=Check.CLIENTS,
    severity=Severity.ERROR,
    title="Output schema's root is not an object",
    fix="Wrap the value in an object.",
    source=(
        "MCP 2025-11-25 server/tools, Output Schema; Wynelson94/longhand#10; trycua/cua#2977; "
        "kenn-io/msgvault#626"
    ),
    error_for=["claude", "cursor"],
    bad=listing(sample(outputSchema={"type": "array", "items": {"type": "string"}})),
    good=listing(sample(outputSchema=_REPORT)),
)
@each_tool
def output_schema_root(tool: Definition) -> Iterator[Flaw]:
    """Before 2026-07-28 it is outside the protocol: typed clients drop the whole list."""
    if tool.output is None or tool.output.schema.get("type") == "object":
        return
    schema = tool.output.schema
    found = f"has the type {quoted(schema['type'], 40)}" if "type" in schema else "has no type"
    is_legal = tool.revision >= _FIRST_WITHOUT_LIMIT
    loss = "Claude and Cursor refuse it" if is_legal else "typed clients drop the whole list"
    yield Flaw(
        f'the root of outputSchema {found}, expected "object"; {loss}',
        "/outputSchema/type" if "type" in schema else "/outputSchema",
        severity=Severity.WARNING if is_legal else None,
    )
