"""Rule `default-invalid`."""

from collections.abc import Iterator

from toolproof.phases.checks.defaults import default_breach
from toolproof.phases.checks.definitions import SchemaView
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_UNIT = {"type": "string", "enum": ["C", "F"], "description": "The unit of the temperature."}


@rule(
    check=Check.QUALITY,
    severity=Severity.WARNING,
    title="Default does not match its own schema",
    fix="Correct the default, or drop it.",
    source="langflow-ai/langflow#9359; dcdpr/jp#998",
    bad=listing(sample(inputSchema=taking(city=CITY, unit=_UNIT | {"default": "celsius"}))),
    good=listing(sample(inputSchema=taking(city=CITY, unit=_UNIT | {"default": "C"}))),
)
@each_schema
def default_invalid(view: SchemaView) -> Iterator[Flaw]:
    """Clients that fill in defaults, and models that copy them, send a value that is refused."""
    if not view.having("default") or not view.is_sound:
        return
    for node in view.having("default"):
        breach = default_breach(view, node)
        if breach is not None:
            default = quoted(node.schema["default"], 40)
            yield Flaw(
                f"default {default} at {node.place} does not match: {breach}",
                f"{node.pointer}/default",
            )
