"""Success for arguments that break the schema: what is broken, and whether it matters (pure)."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from toolproof.phases.fuzz.generate import ABSENT, Case, Plan
from toolproof.phases.fuzz.traits import NO_OBJECT, trait_of
from toolproof.phases.fuzz.verdict import Kind, Verdict, verdict
from toolproof.phases.fuzz.words import is_refusal
from toolproof.report import Severity
from toolproof.schemas import Breach
from toolproof.text import quoted

_MOST_BREACHES = 20
_HEAD = 300
"""So much of a text is read for what it is about."""

_GROUPS = {
    "unevaluatedProperties": "additionalProperties",
    "propertyNames": "additionalProperties",
    "dependentRequired": "required",
    "const": "enum",
    "exclusiveMinimum": "minimum",
    "exclusiveMaximum": "maximum",
    "anyOf": "type",
    "oneOf": "type",
}
"""Keywords that forbid the same sort of thing."""

ANNOTATIONS = frozenset({"format", "contentEncoding", "contentMediaType"})
"""Keywords that a validator need not assert. Source: JSON Schema 2020-12, validation, 7.2 and 8."""


def breaches_of(plan: Plan, arguments: Any) -> Sequence[Breach]:
    """What is wrong with the arguments by the schema that the labels are true of."""
    return list(islice(plan.breaches(arguments), _MOST_BREACHES))


def accepted(case: Case, text: str, plan: Plan, schema: Any, *, failed: bool) -> Iterator[Verdict]:
    """The verdict on a success; none where the arguments turn out to fit, or where nothing was wrong.

    `arguments` that are no object are ignored by many servers: where `{}` fits, that is no more than
    a hint, and for null or an empty list nothing is said.

    Args:
        failed: Whether the result's text tells of a failure.
    """
    arguments = case.arguments
    shape = arguments is not ABSENT and not isinstance(arguments, dict)
    harmless = shape and not breaches_of(plan, {})
    if harmless and arguments in (None, []):
        return
    found = breaches_of(plan, arguments)
    if not found:
        return
    breach = found[0]
    group = _GROUPS.get(breach.keyword, breach.keyword)
    if shape:
        group = "arguments"
    trait = trait_of(found, schema) if not shape else NO_OBJECT if harmless else ""
    only_noted = all(one.keyword in ANNOTATIONS for one in found)
    failed = failed or is_refusal(text[:_HEAD])
    told = "an error that is told as a success" if failed else "a success"
    gave = f"{told}: {quoted(text, 80)}" if text else f"{told} without any text"
    where = f" at {breach.pointer}" if breach.pointer else ""
    detail = f"breaks {breach.keyword}{where} ({breach.message}), and gave {gave}"
    if only_noted:
        detail += "; JSON Schema lets a validator pass over this keyword"
    yield verdict(
        Kind.ACCEPTED_INVALID,
        detail,
        f"{group}: {trait}" if trait else group,
        severity=Severity.INFO if only_noted or harmless else None,
        trait=trait,
    )
