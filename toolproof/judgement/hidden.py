"""Characters that a person cannot see, and that have no rightful place where they stand."""

from collections.abc import Iterator

from toolproof.patterns import later

_CANDIDATES = later("[\u200b-\u200d\u2060\ufeff\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_JOINERS = "\u200c\u200d"
_ZWJ = "\u200d"

_JOINED_SCRIPTS = later(
    "[\u0600-\u08ff"  # Arabic, Syriac, Thaana, N'Ko and their neighbours
    "\u0900-\u0dff"  # the scripts of India and Sri Lanka
    "\u0f00-\u109f\u1780-\u18af"  # Tibetan, Myanmar, Khmer, Mongolian
    "\ufb50-\ufdff\ufe70-\ufefc"  # Arabic presentation forms
    "\U00011000-\U000119ff]"  # further scripts of India
)
"""Letters that joiners shape. Source: Unicode 15, chapter 23.2, Cursive Connection and Ligatures."""

_EMOJI = later(
    "[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]"  # symbols and pictures, skin tones included
)
_SELECTOR = "\ufe0f"

_FLAGS = later(
    "\U0001f3f4(?:\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073))\U000e007f"
)
"""The flags of England, Scotland and Wales: the only emoji of tag characters. Source: UTS 51."""


def hidden_characters(text: str) -> Iterator[tuple[int, str]]:
    """Each one with its offset, in characters.

    Joiners are rightful between emoji and behind a letter of a script that joins, tag characters in
    the three flags that are made of them.
    """
    if text.isascii() or _CANDIDATES.search(text) is None:
        return
    rightful = {at for flag in _FLAGS.finditer(text) for at in range(*flag.span())}
    for found in _CANDIDATES.finditer(text):
        at, char = found.start(), found[0]
        if at in rightful or (char in _JOINERS and _joins(text, at)):
            continue
        yield at, char


def _joins(text: str, at: int) -> bool:
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if _JOINED_SCRIPTS.match(before):
        return True
    if before == _SELECTOR and at > 1:
        before = text[at - 2]
    return bool(text[at] == _ZWJ and _EMOJI.match(before) and _EMOJI.match(after))
