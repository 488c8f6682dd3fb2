"""What names a problem in every run: never its message, its line, a seed or the time."""

import hashlib


def fingerprint(phase: str, rule: str, server: str, subject: str, pointer: str | None = "") -> str:
    """The first 16 hex digits of SHA-256 over what makes the problem the one it is.

    Args:
        phase: The phase that found it.
        rule: The rule that is broken, or the kind of finding; empty where its subject says it all.
        server: The server's name in toolproof.yaml, else the one that it gives itself.
        subject: The tool, test, target or gate.
        pointer: A JSON pointer into the subject; of a fuzz finding the skeleton of its cause.

    Source: reports.md, section 6.
    """
    parts = (str(phase), rule, server, subject, pointer or "")
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:16]
