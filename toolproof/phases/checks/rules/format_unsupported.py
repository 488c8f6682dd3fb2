"""Rule `format-unsupported`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import SchemaView
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import FORMATS

_SINCE = {"type": "string", "description": "The first day to tell of, such as 2026-08-01."}


@rule(
    check=Check.CLIENTS,
    severity=Severity.INFO,
    title="Format is one that some clients ignore or refuse",
    fix="Say the format in the description too.",
    source="google-gemini/gemini-cli#2237; punkpeye/mcp-remote#118",
    bad=listing(sample(inputSchema=taking(city=CITY, since=_SINCE | {"format": "date"}))),
    good=listing(sample(inputSchema=taking(city=CITY, since=_SINCE | {"format": "date-time"}))),
)
@each_schema
def format_unsupported(view: SchemaView) -> Iterator[Flaw]:
    """Some Gemini clients know only date-time: they ignore the others, or refuse the request."""
    for node in view.having("format"):
        name = node.schema["format"]
        if isinstance(name, str) and name in FORMATS and name != "date-time":
            yield Flaw(
                f"format {name!r} at {node.place}; some Gemini clients ignore or refuse it",
                f"{node.pointer}/format",
            )
