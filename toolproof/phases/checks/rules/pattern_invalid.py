"""Rule `pattern-invalid`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Node, SchemaView, place_of
from toolproof.phases.checks.examples import sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import ecma_regex_error, escape_token
from toolproof.text import quoted

_POSTCODE = {"type": "string", "description": "The postcode of the city."}


@rule(
    check=Check.INPUT_SCHEMA,
    severity=Severity.ERROR,
    title="Pattern is not a valid regular expression",
    fix="Correct the expression: JSON Schema has those of ECMA-262, that is, of JavaScript.",
    source="Dokploy/mcp#43; JSON Schema 2020-12 validation, pattern",
    bad=listing(sample(inputSchema=taking(postcode=_POSTCODE | {"pattern": "^[0-9{4}$"}))),
    good=listing(sample(inputSchema=taking(postcode=_POSTCODE | {"pattern": "^[0-9]{4}$"}))),
)
@each_schema
def pattern_invalid(view: SchemaView) -> Iterator[Flaw]:
    """A client that compiles the pattern fails, and with it the call or the whole list."""
    for node in view.having("pattern"):
        pattern = node.schema["pattern"]
        if isinstance(pattern, str):
            yield from _judged(view, node, pattern, "/pattern")
    for node in view.having("patternProperties"):
        keyed = node.schema["patternProperties"]
        for pattern in keyed if isinstance(keyed, dict) else ():
            yield from _judged(view, node, pattern, f"/patternProperties/{escape_token(pattern)}")


def _judged(view: SchemaView, node: Node, pattern: str, below: str) -> Iterator[Flaw]:
    reason = ecma_regex_error(pattern)
    if reason is not None:
        yield Flaw(
            f"pattern {quoted(pattern, 50)} at {place_of(node.pointer)} is no ECMA-262 "
            f"expression: {reason}",
            node.pointer + below,
            check=view.check,
        )
