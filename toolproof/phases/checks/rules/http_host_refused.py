"""Rule `http-host-refused`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="The server refuses the host",
    fix="Add the host to those that the server allows.",
    source="awslabs/mcp#4507; modelcontextprotocol/python-sdk#1798",
    bad=seeing(
        saw(
            Kind.HTTP_HOST_REFUSED,
            "the server does not accept the host 'mcp.acme.test' (status 421); it must allow this host",
            status=421,
            host="mcp.acme.test",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.HTTP_HOST_REFUSED, whole=True)
def http_host_refused(seen: Seen) -> Iterator[Flaw]:
    """The server answers only under names that it was told; behind a proxy or in a container, to nobody."""
    yield Flaw(detail(seen))
