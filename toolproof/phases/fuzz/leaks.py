"""What must not be in anything that a server says: files it was tricked into reading, credentials (pure)."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from toolproof.judgement.secrets import secrets_in
from toolproof.judgement.strings import strings_in
from toolproof.phases.fuzz.verdict import Kind, Verdict, verdict
from toolproof.text import quoted

_FILES = (
    (re.compile(r"(?<![\w.-])root:[^:\s]{0,200}:0:0:[^\n]{0,100}"), "/etc/passwd"),
    (re.compile(r"\[(?:fonts|extensions|mci extensions)\]\s", re.IGNORECASE), "win.ini"),
)
_CLIMBS = re.compile(r"\.\.[\\/]|%2e%2e|\.\.%(?:2f|5c)", re.IGNORECASE)
_OUTSIDE = re.compile(r"^(?:file:/+|/|[a-z]:[\\/])[\w/\\.]*(?:etc/passwd|win\.ini)", re.IGNORECASE)
_CONFINED = re.compile(
    r"\b(?:relative|within|inside|under|below|allowed|from|in) (?:to )?(?:the |its |our |this |a )?"
    r"(?:\w{1,30} ){0,2}(?:root|folder|director(?:y|ies)|workspace|project|vault|sandbox|base|docs?|"
    r"documents?|notes?|files|repository|store)\b|\bsandbox|\brelative path",
    re.IGNORECASE,
)


def is_confined(texts: str) -> bool:
    """Whether a tool says of its files that they are those of some folder."""
    return _CONFINED.search(texts[:4_000]) is not None


def traversal(text: str, arguments: Any, *, confined: bool) -> Verdict | None:
    """A file from outside, where a path that leads there was sent.

    An absolute path is no trick, unless the tool says that its files are those of one folder.
    """
    if "root:" not in text and "[" not in text:
        return None
    sent = list(strings_in(arguments))
    ways = [part for part in sent if _leads_out(part, confined=confined)]
    for pattern, name in _FILES if ways else ():
        found = pattern.search(text)
        if found and not any(found[0][:20] in part for part in sent):
            wanted = "passwd" if name == "/etc/passwd" else "win.ini"
            way = next((part for part in ways if wanted in part), None)
            if way is not None:
                detail = f"{quoted(way, 60)} gave the content of {name}: {quoted(found[0], 40)}"
                return verdict(Kind.PATH_TRAVERSAL, detail, name)
    return None


def _leads_out(text: str, *, confined: bool) -> bool:
    return _CLIMBS.search(text) is not None or (confined and _OUTSIDE.match(text) is not None)


def credentials(text: str, arguments: Any) -> Iterator[Verdict]:
    """Values shaped like live credentials that the caller did not send; never quoted in full."""
    sent: Sequence[str] | None = None
    told: set[str] = set()
    for secret in secrets_in(text):
        if secret.kind in told:
            continue
        value = text[secret.at : secret.at + secret.length]
        if sent is None:
            sent = list(strings_in(arguments))
        if not any(value in part for part in sent):
            told.add(secret.kind)
            detail = f"the answer holds what looks like {secret.kind} ({secret.hint})"
            yield verdict(Kind.SECRET_LEAK, detail, secret.kind, wide=True)
