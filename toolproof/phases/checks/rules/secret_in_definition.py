"""Rule `secret-in-definition`."""

from collections.abc import Iterator

from toolproof.judgement.secrets import secrets_in
from toolproof.phases.checks.definitions import place_of
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, Text, each_text, listing, rule
from toolproof.report import Check, Severity

_SOURCE = {"type": "string", "maxLength": 200, "description": "Where the figures come from."}


@rule(
    check=Check.TEXT,
    severity=Severity.ERROR,
    title="Definition holds what looks like a live credential",
    fix="Remove it, and revoke it: whoever lists the tools has read it.",
    source="general practice",
    bad=listing(
        sample(
            inputSchema=taking(
                city=CITY,
                source=_SOURCE | {"default": "postgres://stock:Wq-93-kettle-Zp@db.acme.test/stock"},
            )
        )
    ),
    good=listing(
        sample(
            inputSchema=taking(
                city=CITY,
                source=_SOURCE | {"default": "postgres://user:password@db.acme.test/stock"},
            )
        )
    ),
)
@each_text
def secret_in_definition(text: Text) -> Iterator[Flaw]:
    """Every client, and every model that it talks to, is given the definition with the secret in it."""
    found = next(secrets_in(text.text), None)
    if found is not None:
        yield Flaw(f"{place_of(text.pointer)} holds what looks like {found.kind} ({found.hint})")
