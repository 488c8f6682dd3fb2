"""What a text says: that something failed, that it is the environment's fault, that input was refused."""

import re

from toolproof.patterns import later

_HEAD = 400
"""A failure is told at the start of a text."""

_MOST_CAUSE = 300

_FAILURE = later(
    r"(?P<colon>(?:[\w.]{1,60})?(?:Error|Exception|ERROR|EXCEPTION|Fault)(?: \(?-?\d{1,6}\)?)?\s?[:!]"
    r"|error:|Error -|ERROR -|Failed[:!-]|FAILED[:!-]|Failure:|failed:|Exception:|Fatal:)"
    r"|Error (?!(?:handl|report|logg|track|monitor|messag|correct)ing)"
    r"(?:[a-z]{3,20}ing|in|while|during|from|when|at|occurred|code[ :=]{1,3}-?\d{1,6})\b"
    r"|(?:[Ee]rror|ERROR|[Ff]ailed|FAILED|[Ff]ailure)[.!]?\s*\Z"
    r"|An? (?:[a-z]+ ){0,2}(?:error|exception) (?:has )?occurred"
    r"|(?:Failed|FAILED) (?:to|with|because|while|when|[a-z]{3,20}ing)\b"
    r"|Exception (?:in|while|during|when|occurred|of type|raised)\b"
    r"|(?:Uncaught|Unhandled) [\w.]{0,60}(?:Error|Exception|exception|error|rejection)"
    r"|Traceback \(most recent call last\)",
)
_DECORATION = later(r"[\s*_#>`~\[(|\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]{0,40}")
_NOTHING = later(
    r"\s*(?:\*\*\s*)?(?:0|none|no|null|nil|n/a|false|zero|\[\]|\{\}|)\s*(?:$|[.,;!\n])"
    r"|\s*no\s+(?:errors?|failures?|problems?|exceptions?|issues?|warnings?)\b"
    r"|\s*\d[\d.,]*\s*(?:%|$|[\n,;|/])",
    re.IGNORECASE,
)
"""What stands behind the colon where there was no failure: "Errors: 0", "Failed: 0, passed: 12"."""

_LEVEL = later(r"^[^\n]{0,40}\b(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL)\b", re.MULTILINE)
_LOG_LINES = 3

_NETWORK = later(
    r"\b(?:ENOTFOUND|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EAI_AGAIN|EAI_NODATA|EHOSTUNREACH"
    r"|ENETUNREACH|EPROTO|UND_ERR_\w{1,40})\b"
    r"|getaddrinfo|name or service not known|nodename nor servname|name resolution"
    r"|no such host|could ?n[o']t resolve|unable to resolve host|dns (?:error|lookup)"
    r"|failed to lookup address"
    r"|connection (?:was )?(?:refused|reset|timed out|aborted|error)|connecterror|connect timeout"
    r"|(?:network|host) is unreachable|no route to host|network error|socket hang ?up"
    r"|fetch failed|failed to fetch|failed to establish a new connection|max retries exceeded"
    r"|dial (?:tcp|udp)|tls handshake|certificate verify failed|self[- ]signed certificate"
    r"|unable to (?:connect|reach)|could ?n[o']t connect|failed to connect|cannot connect"
    r"|error sending request for url|err_(?:name_not_resolved|internet_disconnected|connection_\w{1,20})"
    r"|(?:bad gateway|service unavailable|gateway time-?out|proxy error|too many requests)"
    r"|(?:status(?: code)?|http(?:/[\d.]{1,3})?|error)[ :=(]{1,3}(?:429|502|503|504|407)\b"
    r"|rate limit(?:ed)?(?: exceeded)?",
    re.IGNORECASE,
)
_LOGIN = later(
    r"(?:status(?: code)?|http(?:/[\d.]{1,3})?|error|code)[ :=(]{1,3}(?:401|403)\b"
    r"|\b(?:401|403)[ :,-]{1,3}(?:unauthori[sz]ed|forbidden|client error)"
    r"|\bunauthori[sz]ed\b|\bunauthenticated\b|not (?:authenticated|logged in|signed in)"
    r"|(?:please|must|need to|required to) (?:first )?(?:log|sign) ?in\b|(?:log|sign)-?in (?:is )?required"
    r"|authentication (?:is )?(?:failed|required|error|token)|authorization (?:failed|required)"
    r"|bad credentials|(?:no|missing|invalid|incorrect|expired) (?:\w{1,20} ){0,2}"
    r"(?:credentials?|api[ _-]?keys?|access tokens?|auth tokens?|tokens? provided)"
    r"|api[ _-]?keys? (?:is |was )?(?:missing|required|invalid|not (?:set|found|configured|valid))"
    r"|credentials? (?:is |are |was |were )?(?:missing|required|invalid|expired|not (?:set|found|configured))"
    r"|invalid_auth|not_authed|invalid_grant|token (?:has )?expired",
    re.IGNORECASE,
)

_REFUSAL = later(
    r"\binvalid (?:arguments?|params?|parameters?|input|request|value|type)\b"
    r"|\bvalidation (?:error|failed)|\binput validation|\bschema validation"
    r"|\bmust (?:not )?(?:be|have|match|contain)\b|\bshould (?:be|match|have)\b"
    r"|\bexpected\b[^\n]{0,80}\b(?:got|received|but|found)\b|\bexpected (?:an? )?(?:string|number|integer|"
    r"boolean|array|object)\b|\b(?:is|are) (?:a )?required\b|\bmissing (?:required|argument|parameter|field)"
    r"|\bunknown (?:argument|parameter|field|key)|\bunrecogni[sz]ed (?:argument|parameter|key)"
    r"|\bunexpected keyword argument|\bis not (?:a valid|of type|one of|allowed)\b|\bout of range\b"
    r"|\btoo (?:long|short|large|small|many|few)\b|\bnot a valid\b|\bwrong type\b|\binvalid type\b",
    re.IGNORECASE,
)
_BEGINNING = 4_000

_MASKS = (
    (later(r"https?://[^\s\"'<>)]{1,2000}"), "<url>"),
    (
        later(r"\"[^\"\n]{0,2000}\"|`[^`\n]{0,2000}`|(?<![A-Za-z])'[^'\n]{0,2000}'(?![A-Za-z])"),
        "<…>",
    ),
    (later(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), "<id>"),
    (later(r"(?<![\w/])(?:[A-Za-z]:)?(?:[\\/][\w.@~+-]{1,255}){2,40}[\\/]?"), "<path>"),
    (later(r"\b0x[0-9a-fA-F]{1,64}\b"), "<id>"),
    (
        later(
            r"\b(?=[0-9a-zA-Z_-]{0,64}[0-9])(?=[0-9a-zA-Z_-]{0,64}[a-zA-Z])[0-9a-zA-Z_-]{12,64}\b"
        ),
        "<id>",
    ),
    (later(r"[+-]?\b\d[\d.,:eE+-]{0,60}"), "<n>"),
    (later(r"\s+"), " "),
)


def reads_like_failure(text: str) -> str | None:
    """The first line of a text that begins like a failure; None for one that does not.

    "Errors: 0", "Error rate is 2 %", "Failed logins: 3" and a log whose first line is an error do
    not; what stands further down does not count.
    """
    lead = _DECORATION.match(text)
    start = lead.end() if lead else 0
    found = _FAILURE.match(text, start, start + _HEAD)
    if found is None:
        return None
    rest = text[found.end() : found.end() + _HEAD]
    if found["colon"] and _NOTHING.match(rest) and not re.match(r"\s*\d{3}\b", rest):
        return None
    if len(_LEVEL.findall(text[:_BEGINNING])) >= _LOG_LINES:
        return None
    return text[start : start + _HEAD].partition("\n")[0].strip()


def is_environment(text: str) -> str | None:
    """What the text says is missing, `the network` or `a login`; None where it says no such thing.

    Such a failure is the environment's, and no fault of the server by itself.
    """
    head = text[:_BEGINNING]
    if _NETWORK.search(head):
        return "the network"
    if _LOGIN.search(head):
        return "a login"
    return None


def reads_like_refusal(text: str) -> bool:
    """Whether an error's text is about the arguments: their type, range, presence or names."""
    return _REFUSAL.search(text[:_BEGINNING]) is not None


def mask_cause(message: str) -> str:
    """The skeleton of a message: the same for messages that differ in numbers, quotes, ids, paths.

    Equal causes are then told once.
    """
    text = message[:_BEGINNING]
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text.strip()[:_MOST_CAUSE]
