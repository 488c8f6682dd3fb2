"""Rule `input-schema-root`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_BARE = {member: value for member, value in sample().items() if member != "inputSchema"}
_LOSS = "typed clients drop the whole list"


@rule(
    check=Check.INPUT_SCHEMA,
    severity=Severity.ERROR,
    title="Input schema is missing or its root is not an object",
    fix='Use {"type": "object", "additionalProperties": false} for a tool without arguments.',
    source=(
        "MCP 2026-07-28 server/tools, Tool; anthropics/claude-code#88049; mastra-ai/mastra#21859; "
        "zereight/gitlab-mcp#286"
    ),
    bad=listing(_BARE),
    good=listing(sample()),
)
@each_tool
def input_schema_root(tool: Definition) -> Iterator[Flaw]:
    """Typed clients lose every tool of the server over one schema of another shape."""
    if not isinstance(tool.raw, dict):
        return
    if "inputSchema" not in tool.object:
        yield Flaw(f"tool has no inputSchema; {_LOSS}")
        return
    schema = tool.object["inputSchema"]
    if not isinstance(schema, dict):
        found = quoted(schema, 40)
        yield Flaw(f"inputSchema is {found}, expected an object; {_LOSS}", "/inputSchema")
    elif "type" not in schema:
        yield Flaw(
            f'inputSchema has no type at its root, expected "object"; {_LOSS}', "/inputSchema"
        )
    elif schema["type"] != "object":
        kind = quoted(schema["type"], 40)
        yield Flaw(
            f'the type at the root of inputSchema is {kind}, expected "object"; {_LOSS}',
            "/inputSchema/type",
        )
