"""Absolute URIs (RFC 3986) and URI templates (RFC 6570): what is wrong with one."""

import re

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_DRIVE = re.compile(r"[A-Za-z]:(?:[\\/]|$)")
_NEVER = re.compile(r"[\x00-\x20\x7f<>\"\\^`{|}]")

_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_VARIABLE = re.compile(
    r"(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*(?:\*|:[1-9]\d{0,3})?"
)
_NO_LITERAL = re.compile(r"[\x00-\x20\x7f\"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})")
_OPERATORS = "+#./;?&"


def absolute_uri_flaw(uri: str) -> str | None:
    """Why a text is no absolute URI, as the end of a sentence; None where it is one.

    Letters outside ASCII pass: they are common, and every client encodes them.
    """
    if _DRIVE.match(uri):
        return "is a path of Windows, not a URI: write file:///…"
    scheme = _SCHEME.match(uri)
    if scheme is None:
        return "has no scheme, such as file: or https:"
    if scheme.end() == len(uri):
        return "has nothing behind its scheme"
    if _NEVER.search(uri):
        return "has a character that a URI cannot hold"
    return None


def uri_template_flaw(template: str) -> str | None:
    """Why a text is no URI template, as the end of a sentence; None where it is one.

    Source: RFC 6570, sections 2.1 to 2.4; the apostrophe is a literal by its erratum 6937.
    """
    rest = _EXPRESSION.sub("", template)
    if "{" in rest or "}" in rest:
        return "has a brace without its counterpart"
    if _NO_LITERAL.search(rest):
        return "has a character that must be percent-encoded"
    for expression in _EXPRESSION.findall(template):
        if not expression:
            return "has an empty expression"
        variables = expression[1:] if expression[0] in _OPERATORS else expression
        for variable in variables.split(","):
            if _VARIABLE.fullmatch(variable) is None:
                return f"has an expression that RFC 6570 does not know: {{{expression[:60]}}}"
    return None
