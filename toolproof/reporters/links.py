"""Links into the repository that a CI checked out; nothing else is ever linked."""

import re
from urllib.parse import quote

from toolproof.report import Place, RuleCard, RunReport

_REPOSITORY = re.compile(r"https?://[\w.-]+(?::\d+)?/[\w.-]+/[\w.-]+", re.ASCII)
_SHA = re.compile(r"[0-9a-f]{7,64}")
_PAGE = re.compile(r"https://[\w.-]+/[\w./#-]+", re.ASCII)


def place_link(run: RunReport, place: Place) -> str | None:
    """The address of a line at the commit that was tested, where the CI told both."""
    ci = dict(run.ci)
    repository = ci.get("repository_url") or ci.get("run_url", "").partition("/actions/")[0]
    sha = ci.get("sha", "")
    if not _REPOSITORY.fullmatch(repository) or not _SHA.fullmatch(sha):
        return None
    path = quote(place.file.encode("utf-8", "replace"), safe="/")
    return f"{repository}/blob/{sha}/{path}#L{place.line}"


def page_link(card: RuleCard | None) -> str | None:
    """The address of a rule's page, if it is one that needs no escaping anywhere."""
    return card.url if card and _PAGE.fullmatch(card.url) else None
