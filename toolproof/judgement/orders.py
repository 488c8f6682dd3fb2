"""Texts that order a model about, rather than say what a tool does."""

import re

from toolproof.patterns import later
from toolproof.records import record


@record
class Order:
    """An order that was found.

    Attributes:
        what: What it does, as the end of a sentence that names the text.
        quote: The words, as they stand there.
    """

    what: str
    quote: str


@record
class _Kind:
    """One kind of order.

    Attributes:
        signs: Lower case; one of these stands in each, so that other texts are passed over fast.
        pattern: Searched in the text as it is.
        spoilt: A condition in the rest of the sentence that makes plain advice of it.
        verb: What must stand before it in the same sentence: without an order it is only a name.
    """

    what: str
    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    spoilt: re.Pattern[str] | None = None
    verb: re.Pattern[str] | None = None


def _pattern(text: str) -> re.Pattern[str]:
    return later(text.replace(" ", r"\s{1,4}"), re.IGNORECASE)


_USER = r"(?:the|your|this) (?:end-?)?(?:user|human|person|operator|customer)s?"
_NEVER = (
    r"(?:do not|don['\u2019]?t|never|must not|mustn['\u2019]t|should not|shouldn['\u2019]t|avoid)"
)
_LET_OUT = later(r"[^.!?\n]{0,200}\b(?:until|unless|before)\b", re.IGNORECASE)

_KINDS = (
    _Kind(
        "holds a pseudo-tag",
        ("<important", "</important", "<|im_", "<|system|", "[inst]", "<<sys>>"),
        _pattern(
            r"</?important(?:[\s_-][\w\s-]{0,30})?/?>|<\|(?:im_start|im_end|system)\|>|\[/?INST\]|<<SYS>>"
        ),
    ),
    _Kind(
        "holds a pseudo-tag",
        (
            "</system",
            "</secret",
            "</hidden",
            "</instruction",
            "</admin",
            "</override",
            "</critical",
            "</assistant",
        ),
        _pattern(
            r"</(?:system|secret|hidden|instructions?|admin|override|critical|assistant)(?:[_-]\w{1,30})?>"
        ),
    ),
    _Kind(
        "orders the model to ignore its instructions",
        ("ignore", "disregard", "forget", "override", "bypass"),
        _pattern(
            r"\b(?:ignore|disregard|forget|override|bypass)(?: (?:all|any|every|of|the|your|these|those|other))"
            r"{0,4} (?:previous|prior|earlier|preceding|above|former|original|initial|system|safety)"
            r"(?: \w{1,20}){0,2} (?:instructions?|prompts?|directions?|directives?|guidelines?|guardrails?)\b"
            r"|\b(?:ignore|disregard|forget) (?:everything|all|anything)(?: (?:that )?(?:you|is|was|were|has|"
            r"have|above|before)){1,4}"
            r"|\b(?:ignore|disregard|forget|override) (?:all )?(?:of )?your (?:\w{1,20} ){0,2}"
            r"(?:instructions?|prompts?|rules?|guidelines?|training)\b"
            r"|\b(?:ignore|disregard) (?:all )?(?:of )?the (?:above|foregoing)\b"
            r"|\b(?:ignore|disregard|forget) (?:all|any|every)(?: (?:of )?(?:the|your))? other instructions?\b"
        ),
    ),
    _Kind(
        "orders the model to hide something from the user",
        ("tell", "inform", "let", "say"),
        _pattern(rf"\b{_NEVER} (?:\w{{1,12}} ){{0,2}}(?:tell|inform|let|say to) {_USER}\b"),
        _LET_OUT,
    ),
    _Kind(
        "orders the model to hide something from the user",
        ("mention", "reveal", "disclose", "report", "show", "expose"),
        _pattern(
            rf"\b{_NEVER} (?:\w{{1,12}} )?(?:mention|reveal|disclose|report|show|expose)"
            rf"(?: (?:this|that|it|them|these|any of this|the above|what you|anything|the fact)\b[^.!?\n]{{0,60}}?)"
            rf" (?:to )?{_USER}\b"
            rf"|\b{_NEVER} (?:\w{{1,12}} )?(?:mention|reveal|disclose) to {_USER}\b"
        ),
        _LET_OUT,
    ),
    _Kind(
        "orders the model to hide something from the user",
        (
            "hide",
            "hidden",
            "conceal",
            "secret",
            "knowledge",
            "knowing",
            "noticing",
            "aware",
            "must not know",
        ),
        _pattern(
            rf"\b(?:hide|conceal|keep) (?:this|that|it|them|these|everything|all of this)(?: \w{{1,12}}){{0,3}}"
            rf" from {_USER}\b|\bkeep (?:this|it|that) (?:a )?secret\b"
            rf"|\bwithout {_USER}(?:['\u2019]s?)? (?:knowledge|knowing|noticing|awareness|being aware)"
            rf"|{_USER} (?:must|should|may|need) (?:not|never) (?:know|see|notice|learn|be (?:told|aware|informed))"
        ),
    ),
    _Kind(
        "orders the model to hide something from the user",
        ("without telling", "without informing", "without mentioning"),
        _pattern(rf"\bwithout (?:telling|informing|mentioning (?:this|it|that) to) {_USER}\b"),
    ),
    _Kind(
        "orders the model to read private key files",
        (
            ".ssh",
            "id_rsa",
            "id_ed25519",
            "id_ecdsa",
            "id_dsa",
            ".aws/credentials",
            ".gnupg",
            "private key",
            "/etc/shadow",
        ),
        _pattern(
            r"\.ssh/(?!\w{1,30}\.pub\b)[\w*]{1,30}|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub\b)|\.aws/credentials|\.gnupg\b|/etc/shadow\b"
            r"|\bprivate keys? files?\b"
        ),
        verb=later(
            r"\b(?:read|cat|open|fetch|send|pass|include|attach|upload|append|copy|paste|post|return|put"
            r"|(?:the )?contents? of)\b[^.!?\n]{0,60}(?:[~.]|/home/\w{1,30})?/?$",
            re.IGNORECASE,
        ),
    ),
    _Kind(
        "asks for the system prompt",
        ("system prompt", "system message", "your instructions"),
        _pattern(
            r"\b(?:reveal|print|output|repeat|send|leak|include|pass|append|return) (?:me )?"
            r"(?:your|the)(?: \w{1,15})? (?:system (?:prompt|message)|instructions verbatim)"
        ),
    ),
)

_ABOUT = later(
    r"(?:detect|scan|flag|block|filter|classif|check|find|sanitiz|sanitis|injection|jailbreak|attack"
    r"|such as|like|e\.g\.|for example)[^.!?\n]{0,80}[\"'\u201c\u2018`(]{1,2}$",
    re.IGNORECASE,
)
"""What stands before a phrase that a text only quotes: a scanner says what it looks for."""

_LONGEST_LEAD = 160


def order_in(text: str) -> Order | None:
    """The first order to a model in a text; None where it only describes or gives plain advice.

    The time is linear in the text.
    """
    lower = text.lower()
    for kind in _KINDS:
        if not any(sign in lower for sign in kind.signs):
            continue
        for found in kind.pattern.finditer(text):
            if kind.spoilt and kind.spoilt.match(text, found.end()):
                continue
            start = max(0, found.start() - _LONGEST_LEAD)
            lead = text[start : found.start()]
            verb = kind.verb.search(lead) if kind.verb else None
            if (kind.verb and not verb) or _ABOUT.search(lead):
                continue
            begin = start + verb.start() if verb else found.start()
            return Order(kind.what, text[begin : found.end()])
    return None
