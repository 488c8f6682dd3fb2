"""Samples for the formats of JSON Schema: right ones at their edges, and wrong ones close to them.

Each is only a proposal: a validator decides, as implementations differ at the edges.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Samples(NamedTuple):
    """Texts of one format, the plainest first, each with a word for the reason."""

    right: tuple[tuple[str, str], ...]
    wrong: tuple[tuple[str, str], ...]


_DAY = "2024-02-29"
_LABEL = "a" * 63
_ADDRESS = (("127.0.0.1", "plain"), ("0.0.0.0", "all zero"), ("255.255.255.255", "the last"))  # noqa: S104
_MAIL = (
    ("a@example.com", "plain"),
    ("first.last+tag@sub.example.org", "with a tag"),
    ("o'hara@example.com", "with an apostrophe"),
    ("a" * 64 + "@example.com", "64 before the at sign"),
)
_NO_MAIL = (
    ("a", "no at sign"),
    ("a@", "no domain"),
    ("@example.com", "nothing before the at sign"),
)
_URI = (
    ("https://example.com/", "plain"),
    ("https://user@example.com:8443/a/b?q=1&r=%20#top", "with all parts"),
    ("mailto:a@example.com", "mailto"),
    ("urn:isbn:0451450523", "urn"),
    ("file:///a.txt", "file"),
    ("http://[::1]/", "with an IPv6 address"),
    ("data:,", "data"),
)
_NO_URI = (
    ("example.com", "no scheme"),
    ("https://exa mple.com/", "with a blank"),
    ("//example.com/", "no scheme but a host"),
    ("https://example.com/%zz", "broken escape"),
)

FORMATS: Mapping[str, Samples] = {
    "date-time": Samples(
        (
            (f"{_DAY}T12:00:00Z", "leap day"),
            ("1985-04-12T23:20:50.52Z", "with a fraction"),
            ("1996-12-19T16:39:57-08:00", "with an offset"),
            ("0001-01-01T00:00:00Z", "year 1"),
            ("9999-12-31T23:59:59Z", "year 9999"),
            ("1990-12-31T23:59:60Z", "leap second"),
            ("1970-01-01T00:00:00+00:00", "the epoch"),
        ),
        (
            ("2023-02-29T12:00:00Z", "no such day"),
            (f"{_DAY}T12:00:00", "no offset"),
            (f"{_DAY} 12:00", "no seconds"),
            (f"{_DAY}T25:00:00Z", "hour 25"),
            (_DAY, "only a date"),
        ),
    ),
    "date": Samples(
        (
            (_DAY, "leap day"),
            ("1999-12-31", "end of a year"),
            ("0001-01-01", "year 1"),
            ("9999-12-31", "year 9999"),
            ("1970-01-01", "the epoch"),
        ),
        (
            ("2023-02-29", "no such day"),
            ("2024-13-01", "month 13"),
            ("2024-2-9", "one digit"),
            ("29.02.2024", "other order"),
            (f"{_DAY}T00:00:00Z", "with a time"),
        ),
    ),
    "time": Samples(
        (
            ("12:00:00Z", "plain"),
            ("00:00:00Z", "midnight"),
            ("23:59:59.999999Z", "with a fraction"),
            ("12:00:00+14:00", "with an offset"),
        ),
        (("25:00:00Z", "hour 25"), ("12:00:00", "no offset"), ("12:60:00Z", "minute 60")),
    ),
    "duration": Samples(
        (
            ("P1D", "a day"),
            ("PT1S", "a second"),
            ("P1Y2M3DT4H5M6S", "with all parts"),
            ("P4W", "weeks"),
            ("PT0S", "nothing"),
        ),
        (("1 day", "words"), ("P", "no part"), ("P1D2H", "no T before hours")),
    ),
    "email": Samples(_MAIL, _NO_MAIL),
    "idn-email": Samples((*_MAIL, ("ü@example.com", "letter outside ASCII")), _NO_MAIL),
    "hostname": Samples(
        (
            ("example.com", "plain"),
            ("localhost", "one label"),
            ("xn--bcher-kva.example", "punycode"),
            (f"{_LABEL}.example", "a label of 63"),
        ),
        (
            ("exa_mple.com", "underscore"),
            ("-a.example", "begins with a hyphen"),
            (f"{_LABEL}a.example", "a label of 64"),
            ("a b", "with a blank"),
        ),
    ),
    "idn-hostname": Samples(
        (("example.com", "plain"), ("bücher.example", "letter outside ASCII")),
        (("-a.example", "begins with a hyphen"), ("a b", "with a blank")),
    ),
    "ipv4": Samples(
        _ADDRESS,
        (
            ("256.0.0.1", "256"),
            ("127.0.0", "three parts"),
            ("127.0.0.1/8", "with a mask"),
            ("127.0.0.01", "leading zero"),
            ("localhost", "a name"),
        ),
    ),
    "ipv6": Samples(
        (
            ("::1", "plain"),
            ("::", "all zero"),
            ("2001:db8:85a3::8a2e:370:7334", "shortened"),
            ("::ffff:127.0.0.1", "with an IPv4 address"),
            ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "the last"),
        ),
        (("1::2::3", "shortened twice"), ("12345::", "five digits"), ("127.0.0.1", "IPv4")),
    ),
    "uri": Samples(_URI, (*_NO_URI, ("https://例え.example/ü", "letter outside ASCII"))),
    "uri-reference": Samples(
        (*_URI[:2], ("/a/b?q#f", "a path"), ("a", "relative"), ("", "empty"), ("#a", "a fragment")),
        (
            ("a b", "with a blank"),
            ("https://example.com/%zz", "broken escape"),
            ("\\a", "backslash"),
        ),
    ),
    "iri": Samples((*_URI[:2], ("https://例え.example/ü", "letter outside ASCII")), _NO_URI[:2]),
    "iri-reference": Samples(
        (("/ü", "letter outside ASCII"), _URI[0], ("", "empty")),
        (("a b", "with a blank"), ("\\a", "backslash")),
    ),
    "uri-template": Samples(
        (
            ("https://example.com/{id}", "plain"),
            ("/a{?q,r*}", "with a query"),
            ("a", "no variable"),
        ),
        (("/{a", "brace not closed"), ("/{a b}", "blank in a name")),
    ),
    "uuid": Samples(
        (
            ("123e4567-e89b-12d3-a456-426614174000", "plain"),
            ("00000000-0000-0000-0000-000000000000", "all zero"),
            ("FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF", "capitals"),
        ),
        (
            ("123e4567-e89b-12d3-a456-42661417400", "a digit short"),
            ("123e4567e89b12d3a456426614174000", "no hyphens"),
            ("g23e4567-e89b-12d3-a456-426614174000", "no hexadecimal digit"),
        ),
    ),
    "json-pointer": Samples(
        (("/a/0", "plain"), ("", "the whole"), ("/", "an empty key"), ("/a~1b/m~0n", "escaped")),
        (("a", "no slash"), ("/~2", "broken escape")),
    ),
    "relative-json-pointer": Samples(
        (("0", "plain"), ("1/a", "with a key"), ("0#", "with a hash")),
        (("-1", "negative"), ("a", "no number"), ("/a", "absolute")),
    ),
    "regex": Samples(
        (("a", "plain"), ("", "empty"), (r"^[a-z]+\d{2,}(?:x|y)*$", "with all parts")),
        (("(", "group not closed"), ("[", "class not closed"), ("*", "nothing to repeat")),
    ),
    # not registered by JSON Schema, but common: only the plain samples help, nothing asserts them
    "byte": Samples((("YQ==", "base64"), ("", "empty")), ()),
    "base64": Samples((("YQ==", "base64"), ("", "empty")), ()),
    "binary": Samples((("a", "plain"),), ()),
    "color": Samples((("#336699", "plain"),), ()),
    "ip": Samples(_ADDRESS, ()),
    "url": Samples(_URI, ()),
    "timezone": Samples((("UTC", "plain"), ("America/Toronto", "with a slash")), ()),
    "json": Samples((("{}", "plain"),), ()),
    "int64": Samples((("1", "plain"),), ()),
}

ENCODED: Mapping[str, Samples] = {
    "base64": Samples(
        (("YQ==", "plain"), ("", "empty"), ("/+8=", "with both signs")),
        (("%%%", "no base64"), ("YQ", "no padding"), ("YQ===", "too much padding")),
    ),
    "base64url": Samples((("YQ==", "plain"), ("_-8=", "with both signs")), (("%%%", "no base64"),)),
    "base16": Samples((("61", "plain"),), (("6", "odd number of digits"), ("zz", "no digit"))),
    "base32": Samples((("ME======", "plain"),), (("1", "no base32"),)),
    "quoted-printable": Samples((("a=3D", "plain"),), ()),
}
"""By `contentEncoding`."""
