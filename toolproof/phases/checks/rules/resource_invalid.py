"""Rule `resource-invalid`."""

from collections.abc import Iterator, Mapping
from typing import Any

from toolproof.judgement.uris import absolute_uri_flaw, uri_template_flaw
from toolproof.phases.checks.rule import Evidence, Flaw, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_README = {"uri": "doc://readme", "name": "readme"}


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="A listed resource or template is not valid",
    fix="Correct the entry: an absolute URI of its own, or a template by RFC 6570, and a name.",
    source="MCP 2026-07-28 server/resources, Resource; RFC 3986; RFC 6570",
    bad=Evidence(resources=[_README | {"uri": "readme"}]),
    good=Evidence(resources=[_README]),
)
def resource_invalid(evidence: Evidence) -> Iterator[Flaw]:
    """Clients cannot address such a resource; typed ones drop the whole list."""
    seen: dict[str, int] = {}
    for index, entry in enumerate(evidence.resources):
        uri = _member(entry, "uri")
        flaws = list(_resource(entry))
        if uri is not None:
            seen[uri] = seen.get(uri, 0) + 1
            if seen[uri] > 1:
                flaws.append("its uri is that of an earlier resource")
        if flaws:
            yield _flaw("resource", uri, index, flaws, seen.get(uri or "", 1))
    for index, entry in enumerate(evidence.resource_templates):
        flaws = list(_template(entry))
        if flaws:
            yield _flaw("template", _member(entry, "uriTemplate"), index, flaws)


def _resource(entry: Any) -> Iterator[str]:
    uri = _member(entry, "uri")
    if not isinstance(entry, Mapping):
        yield "it is no object"
        return
    if uri is None:
        yield "it has no uri that is a string"
    elif why := absolute_uri_flaw(uri):
        yield f"its uri {why}"
    if not (_member(entry, "name") or "").strip():
        yield "it has no name"


def _template(entry: Any) -> Iterator[str]:
    template = _member(entry, "uriTemplate")
    if not isinstance(entry, Mapping):
        yield "it is no object"
        return
    if template is None:
        yield "it has no uriTemplate that is a string"
    elif why := uri_template_flaw(template):
        yield f"its uriTemplate {why}"
    if not (_member(entry, "name") or "").strip():
        yield "it has no name"


def _member(entry: Any, name: str) -> str | None:
    value = entry.get(name) if isinstance(entry, Mapping) else None
    return value if isinstance(value, str) else None


def _flaw(what: str, uri: str | None, index: int, flaws: list[str], nth: int = 1) -> Flaw:
    called = f"{what} {quoted(uri, 80)}" if uri else f"the {what} at {index}"
    subject = f"{what} {uri}" if uri else f"{what} at {index}"
    if nth > 1:  # twins are problems of their own
        subject += f", {nth}"
    return Flaw(f"{called}: {'; '.join(flaws)}", subject=subject)
