"""Which part of a run something belongs to: `--shard i/n` (reports.md, section 15)."""

import re
from hashlib import sha256

Shard = tuple[int, int]
"""(i, n), 1 <= i <= n: the i-th of n parts."""

MOST = 10_000
"""More parts than that are a slip of the hand."""

_WRITTEN = re.compile(r"\s*([0-9]{1,6})\s*/\s*([0-9]{1,6})\s*", re.ASCII)


def parse_shard(text: str) -> Shard:
    """The shard that `i/n` names.

    Raises:
        ValueError: It names none.
    """
    found = _WRITTEN.fullmatch(text)
    number, count = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= number <= count <= MOST:
        raise ValueError(f"expected i/n with 1 <= i <= n <= {MOST:,}, got {text!r}")
    return number, count


def in_shard(shard: Shard | None, phase: str, subject: str) -> bool:
    """Whether a subject belongs to this part: it depends on no other subject, and on no order."""
    if shard is None:
        return True
    digest = sha256(f"{phase}\0{subject}".encode(errors="surrogatepass")).hexdigest()
    return 1 + int(digest[:8], 16) % shard[1] == shard[0]
