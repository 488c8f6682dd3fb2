"""Rule `result-size`."""

from collections.abc import Iterator

from toolproof.judgement.tokens import tokens_of
from toolproof.phases.checks.examples import answer, called
from toolproof.phases.checks.rule import CallSeen, Flaw, calling, each_call, rule
from toolproof.report import Check, Severity

MOST_TOKENS = 25_000


@rule(
    check=Check.SIZE,
    severity=Severity.WARNING,
    calls=True,
    title="Result is larger than a model can use",
    fix="Give the result in pages, or let the caller filter it.",
    source="dbt-labs/dbt-mcp#178; okta/okta-mcp-server#9",
    bad=calling(called(answer("row of data, " * 8_000))),
    good=calling(called(answer("row of data, " * 50))),
)
@each_call
def result_size(call: CallSeen) -> Iterator[Flaw]:
    """Clients cut such a result or refuse it, and what is left fills the model's context."""
    if call.answer is None:
        return
    text = call.answer.text
    tokens = tokens_of(text)
    if tokens > MOST_TOKENS:
        yield Flaw(
            f"a result of {len(text):,} characters is about {tokens:,} tokens, "
            f"more than {MOST_TOKENS:,}; give it in pages"
        )
