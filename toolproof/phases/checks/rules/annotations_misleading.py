"""Rule `annotations-misleading`."""

from collections.abc import Iterator

from toolproof.judgement.naming import changing_word
from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity

_DELETE = sample("delete_file", description="Takes a file out of the project for good.")


@rule(
    check=Check.ANNOTATIONS,
    severity=Severity.WARNING,
    title="Tool is said to be read-only, and its name says that it changes something",
    fix="Correct readOnlyHint, or the name.",
    source="DeusData/codebase-memory-mcp#2118; open-metadata/OpenMetadata#30107",
    bad=listing(_DELETE),
    good=listing(_DELETE | {"annotations": {"readOnlyHint": False, "destructiveHint": True}}),
)
@each_tool
def annotations_misleading(tool: Definition) -> Iterator[Flaw]:
    """Clients run read-only tools without asking: the user finds out once the thing is gone."""
    word = changing_word(tool.name)
    match tool.object.get("annotations"):
        case {"readOnlyHint": True} if word:
            yield Flaw(
                f"readOnlyHint is true, but the name begins with {word!r}",
                "/annotations/readOnlyHint",
            )
