"""Rule `schema-unsatisfiable`."""

from collections.abc import Iterator

from toolproof.judgement.satisfiable import contradictions
from toolproof.phases.checks.definitions import SchemaView, place_of
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity

_LEVEL = {"type": "integer", "description": "How loud, from 1 to 5.", "minimum": 1, "maximum": 5}


@rule(
    check=Check.QUALITY,
    severity=Severity.WARNING,
    error_for=["openai"],
    title="No value can match a schema",
    fix="Correct the type or the bounds; put an enum that is meant for an array's elements under items.",
    source="can1357/oh-my-pi#2652; dcdpr/jp#998",
    bad=listing(
        sample(inputSchema=taking(city=CITY, level=_LEVEL | {"minimum": 5, "maximum": 1})),
    ),
    good=listing(sample(inputSchema=taking(city=CITY, level=_LEVEL))),
)
@each_schema
def schema_unsatisfiable(view: SchemaView) -> Iterator[Flaw]:
    """Whatever a model sends in that place breaks the schema.

    A client that validates refuses every call; one that does not sends what the server never expects.
    """
    if view.dialect is None:
        return
    for found in contradictions(view.schema):
        pointer = view.pointer + found.pointer
        yield Flaw(f"no value can match {place_of(pointer)}: {found.why}", pointer)
