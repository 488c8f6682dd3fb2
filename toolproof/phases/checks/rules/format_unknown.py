"""Rule `format-unknown`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import SchemaView
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import FORMATS
from toolproof.text import quoted

_DAYS = {"type": "integer", "description": "How many days to look ahead.", "minimum": 0}


@rule(
    check=Check.CLIENTS,
    severity=Severity.INFO,
    title="Format is not registered",
    fix="Drop it and use bounds.",
    source="can1357/oh-my-pi#276",
    bad=listing(sample(inputSchema=taking(city=CITY, days=_DAYS | {"format": "uint32"}))),
    good=listing(sample(inputSchema=taking(city=CITY, days=_DAYS))),
)
@each_schema
def format_unknown(view: SchemaView) -> Iterator[Flaw]:
    """Strict validators warn about it or refuse it, and to all others it says nothing."""
    for node in view.having("format"):
        name = node.schema["format"]
        if isinstance(name, str) and name not in FORMATS:
            yield Flaw(
                f"format {quoted(name, 40)} at {node.place} is not registered; validators ignore it",
                f"{node.pointer}/format",
            )
