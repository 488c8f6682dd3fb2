"""Rule `schema-id-duplicate`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import SchemaView
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Evidence, Flaw, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import Dialect
from toolproof.text import quoted

_OTHER = {"description": "Lists the measurements of the past week, one for each hour."}
_MEASURED = taking(city=CITY)
_TEMPERATURE = taking(city=CITY) | {"$id": "urn:example:city"}


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Two tools' schemas have the same $id",
    fix="Give each schema its own $id, or none.",
    source="apache/maka#4235",
    error_for=["strict"],
    bad=listing(
        sample(inputSchema=_TEMPERATURE),
        sample("list_measurements", inputSchema=_TEMPERATURE, **_OTHER),
    ),
    good=listing(
        sample(inputSchema=_TEMPERATURE),
        sample("list_measurements", inputSchema=_MEASURED, **_OTHER),
    ),
)
def schema_id_duplicate(evidence: Evidence) -> Iterator[Flaw]:
    """A client that keeps all schemas in one registry mixes them up, or refuses the second."""
    first: dict[str, tuple[int, str]] = {}
    for tool in evidence.tools:
        for view in tool.schemas:
            named = _id(view)
            if not named:
                continue
            index, label = first.setdefault(named, (tool.index, tool.label))
            if index != tool.index:
                keyword = _keyword(view)
                yield Flaw(
                    f"{keyword} {quoted(named, 60)} is that of a schema of {quoted(label, 60)} too; "
                    "strict validators refuse it",
                    f"{view.pointer}/{keyword}",
                    tool=tool.label,
                )


def _keyword(view: SchemaView) -> str:
    return "id" if view.dialect is Dialect.DRAFT_4 else "$id"


def _id(view: SchemaView) -> str:
    """The schema's URI; empty where it has none: one that is only a fragment is an anchor."""
    named = view.schema.get(_keyword(view))
    return named.partition("#")[0] if isinstance(named, str) else ""
