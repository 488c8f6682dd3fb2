"""Is a schema valid in its own dialect, and if not, which keyword is wrong and how."""

from collections.abc import Iterator
from typing import Any

from toolproof.schemas import engines
from toolproof.schemas.breach import Breach
from toolproof.schemas.dialects import Dialect, dialect_of
from toolproof.schemas.keywords import Fault, held_by, keywords_of
from toolproof.schemas.plain import Shape, shape_of
from toolproof.schemas.pointers import Link, Path, path_of, pointer_of, value_at
from toolproof.schemas.walk import NAMED
from toolproof.schemas.wording import found


def breaches_of_schema(
    schema: Any, dialect: Dialect | None = None, *, shape: Shape | None = None
) -> Iterator[Breach]:
    """How a schema breaks the meta-schema of its dialect: nothing if it is valid in it.

    jsonschema-rs says whether, and a table of ours says what; the table alone where the schema is
    too deep or too odd for an engine, or there is none.

    Args:
        schema: Of any type.
        dialect: Where it is not the one that the schema declares. Nothing is said of a schema whose
            dialect is not known.
        shape: PLAIN where the caller knows that the schema is not deep; else it is looked at.
    """
    known = dialect or dialect_of(schema)
    if known is None:
        return
    shape = shape or shape_of(schema)
    engine = _meta_engine(known) if shape is Shape.PLAIN else None
    if engine is not None and _surely_fits(engine, schema):
        return
    told = False
    for path, fault in faults_of(schema, known):
        told = True
        yield _breach(path, fault)
    if engine is not None and not told and shape_of(schema) is Shape.PLAIN:
        yield from _beyond_the_table(engine, schema)


def _meta_engine(dialect: Dialect) -> engines.Engine | None:
    """The meta-schema in jsonschema-rs; None without it, and for draft-04.

    There it lets an enum be empty or repeat values.
    """
    rust = engines.rust() if dialect is not Dialect.DRAFT_4 else None
    return rust.meta_engine(dialect) if rust else None


def _surely_fits(engine: engines.Engine, schema: Any) -> bool:
    try:
        return engine.fits(schema)
    except ValueError:  # it has a text or a number that the engine cannot take
        return False


def _beyond_the_table(engine: engines.Engine, schema: Any) -> Iterator[Breach]:
    """The first fault that the engine finds, where its meta-schema is newer than the table."""
    for finding in engine.findings(schema):
        part = value_at(schema, finding.path)
        yield _breach(finding.path, Fault(part, "what the meta-schema allows"))
        return


def faults_of(schema: Any, dialect: Dialect) -> Iterator[tuple[Path, Fault]]:
    """Each faulty place with what is wrong there, from the table alone."""
    keywords = keywords_of(dialect)
    stack: list[tuple[Any, Link | None, bool]] = [(schema, None, dialect is not Dialect.DRAFT_4)]
    while stack:
        node, link, may_be_boolean = stack.pop()
        if isinstance(node, bool) and may_be_boolean:
            continue
        if not isinstance(node, dict):
            kinds = "an object or a boolean" if may_be_boolean else "an object"
            yield path_of(link), Fault(node, f"a schema, which is {kinds}")
            continue
        below: list[tuple[Any, Link | None, bool]] = []
        for keyword, value in node.items():
            check = keywords.get(keyword)
            if check is not None:
                for where, fault in check(value):
                    yield (*path_of(link), keyword, *where), fault
            either = dialect is not Dialect.DRAFT_4 or keyword in _BOOLEANS_OF_DRAFT_4
            for where, sub in held_by(keyword, value, dialect):
                below.append((sub, (link, (keyword, *where)), either))
        if dialect is Dialect.DRAFT_4:
            yield from _bounds_of_draft_4(node, link)
        stack += reversed(below)


_BOOLEANS_OF_DRAFT_4 = frozenset({"additionalProperties", "additionalItems"})


def _bounds_of_draft_4(node: dict[str, Any], link: Link | None) -> Iterator[tuple[Path, Fault]]:
    for strict, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if strict in node and bound not in node:
            yield (*path_of(link), strict), Fault(node[strict], f"{bound!r} beside it")


def _breach(path: Path, fault: Fault) -> Breach:
    return Breach(
        pointer=pointer_of(path),
        keyword=_keyword_of(path),
        message=f"found {found(fault.value)}, expected {fault.expected}",
        value=fault.value,
    )


def _keyword_of(path: Path) -> str:
    """The last keyword on the way: of `/properties/a/type/0` it is `type`."""
    keyword = ""
    rest = list(reversed(path))
    while rest:
        keyword = str(rest.pop())
        if rest and (keyword in NAMED or keyword == "dependentRequired"):
            rest.pop()
        while rest and isinstance(rest[-1], int):
            rest.pop()
    return keyword
