"""What an error's text is about: the input, the application, or a fault inside (pure)."""

import re

from toolproof.judgement.wording import reads_like_refusal

_HEAD = 2_000

_ISSUES = re.compile(r"\s*\[\s*\{[^\[\]]{0,300}\"(?:code|expected|path|message)\"")
"""A validator's list of issues in JSON, as zod writes it."""

_APPLICATION = re.compile(
    r"\bnot (?:be )?(?:found|exist|available|allowed|permitted|supported|implemented|configured|a git)"
    r"|\bno such\b|\bno \w{1,30} (?:found|matches|with|named|for)\b|\b(?:does|do|did) not exist\b"
    r"|\b(?:unknown|unsupported|invalid|missing|duplicate|illegal|malformed|empty|expired)\b"
    r"|\balready (?:exists?|running|in use)\b|\bis (?:required|needed|empty|too)\b|\bmust\b"
    r"|\b(?:access|permission) (?:is )?denied\b|\boutside\b|\bforbidden\b|\bcan(?:not|'t| not) (?:be )?\w"
    r"|\b(?:could|would|may) not\b|\b(?:failed|unable) to (?:parse|read|find|open|decode|resolve|list|get)\b"
    r"|\b(?:syntax|parse|parsing|logic) error\b|\bunrecogni[sz]ed\b|\bincomplete input\b"
    r"|\bENOENT\b|\bEISDIR\b|\bENOTDIR\b|\bEACCES\b|\bEPERM\b|\bENAMETOOLONG\b",
    re.IGNORECASE,
)
_INTERNAL = re.compile(
    r"\binternal (?:[a-z]{1,20} )?(?:error|failure|exception)\b|\bserver error\b|\bunexpected(?:ly)? (?:error|"
    r"exception|failure|server)\b|\bsomething went wrong\b|\b(?:un(?:handled|caught)|fatal) \w+"
    r"|\bpanic\b|\bassertion\b|\bsegmentation fault\b|\bstack overflow\b|\bout of memory\b|\bbug\b",
    re.IGNORECASE,
)
_MASKED = re.compile(
    r"\s*(?:Error (?:executing|calling|running|in) tool:? ['\"`]?[\w./-]{1,128}['\"`]?"
    r"|(?:An? )?(?:internal|unexpected|unknown) (?:(?:server|tool) )?(?:error|exception)(?: (?:has )?occurred)?"
    r"|Internal server error|Something went wrong)[.!]?\s*",
    re.IGNORECASE,
)
"""All that a client is told where a framework hides what was raised.

Source: mcp 2.x for Python, `UnexpectedToolError`; fastmcp, `mask_error_details`.
"""


def is_refusal(text: str) -> bool:
    """Whether it is about the shape of the input."""
    return reads_like_refusal(text) or _ISSUES.match(text) is not None


def is_of_the_application(text: str) -> bool:
    """Whether it tells the caller of something that is so: not found, not allowed, a wrong input."""
    head = text[:_HEAD]
    return is_refusal(text) or _APPLICATION.search(head) is not None


def is_internal(text: str) -> bool:
    """Whether it admits a fault inside."""
    return _INTERNAL.search(text[:_HEAD]) is not None


def is_masked(text: str) -> bool:
    """Whether it says no more than that something failed."""
    return len(text) < _HEAD and _MASKED.fullmatch(text) is not None
