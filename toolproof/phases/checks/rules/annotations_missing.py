"""Rule `annotations-missing`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity


@rule(
    check=Check.ANNOTATIONS,
    severity=Severity.INFO,
    title="Tool does not say whether it only reads",
    fix="Set readOnlyHint, or destructiveHint where the tool changes something.",
    source="christo-auer/eilmeldung#321; basicmachines-co/basic-memory#1031",
    bad=listing(sample(annotations={"title": "Weather"})),
    good=listing(sample(annotations={"title": "Weather", "readOnlyHint": True})),
)
@each_tool
def annotations_missing(tool: Definition) -> Iterator[Flaw]:
    """Clients then take the tool for a destructive one and ask each time; directories want the hints."""
    annotations = tool.object.get("annotations")
    given = annotations if isinstance(annotations, dict) else {}
    if tool.object and not ("readOnlyHint" in given or "destructiveHint" in given):
        yield Flaw(
            "neither readOnlyHint nor destructiveHint is given",
            "/annotations" if isinstance(annotations, dict) else None,
        )
