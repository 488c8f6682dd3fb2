"""Rule `hidden-unicode`."""

from collections.abc import Iterator

from toolproof.judgement.hidden import hidden_characters
from toolproof.phases.checks.definitions import place_of
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, Text, each_text, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import count

_SHOWN = 3


@rule(
    check=Check.TEXT,
    severity=Severity.ERROR,
    title="Text has characters that a person cannot see",
    fix="Remove them.",
    source="coproduct-opensource/nucleus#1332; OWASP/www-project-mcp-top-10#38",
    bad=listing(sample(description="Tells the weather\u200b of a city.")),
    good=listing(sample(description="Tells the weather of a city.")),
)
@each_text
def hidden_unicode(text: Text) -> Iterator[Flaw]:
    """A model reads what the person who allows the call does not see: orders can be hidden there."""
    found = list(hidden_characters(text.text))
    if found:
        shown = ", ".join(f"U+{ord(char):04X} at {offset}" for offset, char in found[:_SHOWN])
        more = f" and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
        yield Flaw(
            f"{count(len(found), 'invisible character')} in {place_of(text.pointer)}: {shown}{more}"
        )
