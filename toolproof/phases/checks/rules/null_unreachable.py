"""Rule `null-unreachable`."""

from collections.abc import Iterator
from typing import Any

from toolproof.phases.checks.definitions import SchemaView
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_CHOICE = {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "Only this district."}


@rule(
    check=Check.QUALITY,
    severity=Severity.WARNING,
    title="A null branch can never match, as type stands beside the choice",
    fix="Move type into the branches of the choice.",
    source="PrefectHQ/fastmcp#2456; tadata-org/fastapi_mcp#264",
    bad=listing(sample(inputSchema=taking(city=CITY, district=_CHOICE | {"type": "string"}))),
    good=listing(sample(inputSchema=taking(city=CITY, district=_CHOICE))),
)
@each_schema
def null_unreachable(view: SchemaView) -> Iterator[Flaw]:
    """The schema seems to allow null, so models send it, and every validator refuses it."""
    for node in view.having("type"):
        kinds = node.schema["type"]
        if kinds == "null" or (isinstance(kinds, list) and "null" in kinds):
            continue
        for keyword in ("anyOf", "oneOf"):
            branches = node.schema.get(keyword)
            if isinstance(branches, list) and any(map(_is_null, branches)):
                yield Flaw(
                    f"type {quoted(kinds, 40)} at {node.place} excludes the null branch of its {keyword}",
                    node.pointer,
                )


def _is_null(branch: Any) -> bool:
    match branch:
        case {"type": "null"} | {"const": None} | {"enum": [None]}:
            return True
        case {"type": [*kinds]}:
            return "null" in kinds
    return False
