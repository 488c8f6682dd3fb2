"""Values shaped like live credentials: tokens with a well-known prefix, private keys, passwords in URLs."""

import re
from collections.abc import Iterator

from toolproof.patterns import later
from toolproof.records import record


@record
class Secret:
    """A value that looks like a credential.

    Attributes:
        kind: What it seems to be, with its article: "a GitHub token".
        hint: As much of it as may be told: its prefix and its length.
        at: Its offset in the text.
        length: In characters.
    """

    kind: str
    hint: str
    at: int
    length: int


@record
class _Shape:
    """One kind of credential.

    Attributes:
        signs: One of these stands in each, so that texts without one are passed over fast.
        shown: How many of its first characters say nothing secret.
    """

    kind: str
    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    shown: int


def _shape(kind: str, signs: str, pattern: str, shown: int) -> _Shape:
    whole = rf"(?<![A-Za-z0-9_-]){pattern}(?![A-Za-z0-9_])"
    return _Shape(kind, tuple(signs.split()), later(whole), shown)


# Prefixes and lengths as the vendors document them, and as public secret scanners look for them.
_SHAPES = (
    _shape("a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}", 4),
    _shape("a GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{60,255}", 11),
    _shape("a GitLab token", "glpat-", r"glpat-[A-Za-z0-9_.-]{20,255}", 6),
    _shape("an AWS access key", "AKIA ASIA", r"(?:AKIA|ASIA)[A-Z2-7]{16}", 4),
    _shape("a Slack token", "xox", r"xox[abeoprs]-[0-9A-Za-z-]{20,255}", 5),
    _shape("a Slack token", "xapp-", r"xapp-\d-[0-9A-Za-z-]{20,255}", 5),
    _shape(
        "a Slack webhook",
        "hooks.slack.com",
        r"https://hooks\.slack\.com/services/T[A-Z0-9]{7,12}/B[A-Z0-9]{7,12}/[A-Za-z0-9]{20,32}",
        23,
    ),
    _shape("a Stripe key", "sk_live_ rk_live_", r"[sr]k_live_[A-Za-z0-9]{20,255}", 8),
    _shape("an Anthropic key", "sk-ant-", r"sk-ant-[a-z0-9]{3,10}-[A-Za-z0-9_-]{32,255}", 7),
    _shape(
        "an OpenAI key",
        "sk-",
        r"sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,255}|[A-Za-z0-9]{32,64})",
        3,
    ),
    _shape("a Google API key", "AIza", r"AIza[A-Za-z0-9_-]{35}", 4),
    _shape("a Google OAuth secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{28}", 7),
    _shape("a Google OAuth token", "ya29.", r"ya29\.[A-Za-z0-9_-]{30,1024}", 5),
    _shape("an npm token", "npm_", r"npm_[A-Za-z0-9]{36}", 4),
    _shape("a PyPI token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{50,1024}", 5),
    _shape("a Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{34,64}", 3),
    _shape("a SendGrid key", "SG.", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}", 3),
    _shape("a DigitalOcean token", "dop_v1_ doo_v1_", r"do[op]_v1_[a-f0-9]{64}", 7),
    _shape("a Linear key", "lin_api_", r"lin_api_[A-Za-z0-9]{40}", 8),
    _shape("a Notion token", "ntn_", r"ntn_[A-Za-z0-9]{40,64}", 4),
    _shape("a Databricks token", "dapi", r"dapi[a-f0-9]{32}(?:-\d)?", 4),
    _shape("a Shopify token", "shpat_ shpss_", r"shp(?:at|ss)_[a-fA-F0-9]{32}", 6),
    _shape("a Postman key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}", 5),
    _shape("a Vault token", "hvs.", r"hvs\.[A-Za-z0-9_-]{24,255}", 4),
    _shape("a Supabase token", "sbp_", r"sbp_[a-f0-9]{40}", 4),
    _shape("a Telegram bot token", ":AA", r"\d{8,10}:AA[A-Za-z0-9_-]{33}", 0),
    _shape("an Azure storage key", "AccountKey=", r"AccountKey=[A-Za-z0-9+/]{86}==", 11),
    _shape(
        "a JSON Web Token",
        "eyJ",
        r"eyJ[A-Za-z0-9_-]{15,2000}\.eyJ[A-Za-z0-9_-]{15,4000}\.[A-Za-z0-9_-]{20,1000}",
        3,
    ),
)

_PRIVATE_KEY = later(
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n|\\r){0,8}([A-Za-z0-9+/=:,\s\\-]{64})"
)
_URL = later(
    r"(?<![A-Za-z0-9])([A-Za-z][A-Za-z0-9+.-]{1,30})://([^\s/:@\"'<>]{0,100}):([^\s/@\"'<>]{3,200})@([^\s/@\"'<>,]{1,200})"
)

_PLACEHOLDER = later(
    r"x{4,}|\*{3,}|\.{3}|\u2026|example|your|placeholder|dummy|fake|sample|redacted|changeme|insert"
    r"|1234567|abcdef|0{6,}|[<>{}$\[\]]|foobar",
    re.IGNORECASE,
)
_PLACEHOLDER_PASSWORD = later(
    r"(?:my|the|db|user|some|a)?[-_]?(?:pass(?:word|wd|phrase)?|pwd|pw|passwd|secret|token|key|credentials?"
    r"|login|test|admin|root|user(?:name)?|guest|foo|bar|baz|abc|xyz|xxx|none|null|port)[-_]?\d{0,4}"
    r"|p(?:a|@)ss(?:w(?:o|0)rd)?|%[\w()]{1,30}%?|[x*.]+|hunter2|letmein|secret[-_]?(?:password|key)|s3cr3t",
    re.IGNORECASE,
)
_WELL_KNOWN = ("eyJzdWIiOiIxMjM0NTY3ODkw",)  # the payload that jwt.io shows
_FEW = 8  # distinct characters; a random token of 20 and more has more of them


def secrets_in(text: str) -> Iterator[Secret]:
    """Every value in the text that is shaped like a live credential; placeholders are none.

    The time is linear in the text.
    """
    yield from _tokens(text)
    if "PRIVATE KEY" in text:
        for found in _PRIVATE_KEY.finditer(text):
            if len(set(found[1])) > _FEW and not _PLACEHOLDER.search(found[1]):
                yield Secret("a private key", "-----BEGIN …", found.start(), len(found[0]))
    if "://" in text:
        for found in _URL.finditer(text):
            if not _is_placeholder_url(found):
                yield Secret("a password in a URL", f"{found[1]}://…", found.start(), len(found[0]))


_ANY_SIGN = re.compile("|".join(sorted({re.escape(s) for one in _SHAPES for s in one.signs})))
_SHORT = 2_000
"""Up to so many characters one expression is faster than a search for each sign."""


def _tokens(text: str) -> Iterator[Secret]:
    if len(text) < _SHORT and _ANY_SIGN.search(text) is None:
        return
    for shape in _SHAPES:
        if any(sign in text for sign in shape.signs):
            for found in shape.pattern.finditer(text):
                if not _is_placeholder(found[0]):
                    yield _told(shape.kind, found, found[0][: shape.shown])


def _told(kind: str, found: re.Match[str], shown: str) -> Secret:
    return Secret(kind, f"{shown}…, {len(found[0])} characters", found.start(), len(found[0]))


def _is_placeholder(value: str) -> bool:
    return (
        _PLACEHOLDER.search(value) is not None
        or len(set(value)) <= _FEW
        or any(known in value for known in _WELL_KNOWN)
    )


def _is_placeholder_url(found: re.Match[str]) -> bool:
    _scheme, user, password, host = found.groups()
    return (
        password == user
        or _PLACEHOLDER_PASSWORD.fullmatch(password) is not None
        or _PLACEHOLDER.search(found[0]) is not None
        or len(set(password)) <= 2  # "xxx", "----"
        or host.lower().partition(":")[0] in {"host", "hostname", "server", "proxy"}
    )
