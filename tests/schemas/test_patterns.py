r"""Regular expressions: which are ECMA-262, why others are not, and what they mean elsewhere."""

import re

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.schemas import ecma_regex_error, ecma_to_python, has_lookaround
from toolproof.schemas.pattern_text import ecma_to_rust, searchable_length
from toolproof.schemas.patterns import LONGEST

VALID = r"""
\d
\D\w\W\s\S
\p{L}
\p{Lu}\P{Letter}
\p{Script=Greek}
\p{scx=Latin}
\p{gc=Lu}
\p{General_Category=Decimal_Number}
\p{Emoji}
\p{ASCII}\p{Any}\p{Assigned}
(?<name>x)
(?<$n_1>x)\k<$n_1>
\k<n>(?<n>x)
(?<y>\d{4})|(?<y>\d{2})
((?<y>\d{4})|(?<y>\d{2}))-x
[\w-]
[-a]
[a-]
[\d-x]
[^]
[]
[]a
[a&&b]
[[:alpha:]]
[\b]
[\-]
[\]\\]
\/
\-
\_\@\ \"\'\#\%\:\<
\.\*\+\?\(\)\[\]\{\}\|\^\$
\t\n\v\f\r
\cA\cz
\0
\01
\8
\x41
\u0041
\u{1F600}
\ud83d\ude00
^$
\b\B
(?:a|b)
(?=a)(?!b)(?<=c)(?<!d)
(?=a)*
(?i:a)(?-i:b)(?im-s:c)
a{2}a{2,}a{2,3}
a{,3}
a{
a{2
}
]
{x}
a*?a+?a??a{2}?
(a)(b)\2\1
\1
(a)\2
.
x{99999999999999999999}
(?<é>x)
""".strip("\n").split("\n")

INVALID = {
    "(?P<n>x)": "'(?P<name>' is Python's",
    "(?P=n)": "'(?P=name)' is Python's",
    "(?i)x": "JavaScript has no flags inside a pattern",
    "x(?-m)": "JavaScript has no flags inside a pattern",
    "(?x)a": "JavaScript has no flags inside a pattern",
    "(?x:a)": "opens no group that JavaScript knows",
    "(?ii:a)": "contradict themselves",
    "(?i-i:a)": "contradict themselves",
    "(?-:a)": "contradict themselves",
    r"\Ax": "'\\A' at 0 does not exist in JavaScript; write '^' for the start",
    r"x\Z": "'\\Z' at 1 does not exist in JavaScript; write '$' for the end",
    r"x\z": "write '$' for the end",
    r"\h": "write '[ \\t]'",
    r"\Qa\E": "escape each character",
    r"\y": "an escaped letter must have a meaning",
    r"[\y]": "an escaped letter must have a meaning",
    r"[\B]": "'\\B' at 1",
    "a++": "'+' at 2: JavaScript has no possessive repetition",
    "a*+": "no possessive repetition",
    "a?+": "no possessive repetition",
    "a{2}+": "no possessive repetition",
    "(?>a)": "no atomic groups",
    "(?#x)": "no comments",
    "(?(1)a)": "no conditions",
    "(?|a)": "'(?|' is no group",
    "(?'n'a)": "which writes '(?<name>'",
    "(?&a)": "'(?&' is no group",
    "(?P>a)": "Perl's",
    "(?~a)": "opens no group that JavaScript knows",
    "(?": "opens no group that JavaScript knows",
    "(": "the group opened at 0 is not closed",
    "a(b(c)": "the group opened at 1 is not closed",
    "(?:a": "the group opened at 0 is not closed",
    ")": "')' at 0 closes no group",
    "a)b": "')' at 1 closes no group",
    "[a": "the class opened at 0 is not closed",
    "x[a-": "the class opened at 1 is not closed",
    "[a\\": "the backslash at the end escapes nothing",
    "*": "'*' at 0 repeats nothing",
    "a|+": "'+' at 2 repeats nothing",
    "(?)": "opens no group",
    "?": "'?' at 0 repeats nothing",
    "a**": "'*' at 2 repeats nothing",
    "{2}": "the repetition at 0 repeats nothing",
    "^*": "the repetition at 1 repeats nothing",
    r"\b+": "the repetition at 2 repeats nothing",
    "(?<=x)*": "the repetition at 6 repeats nothing",
    "[z-a]": "the range 'z-a' at 1 is out of order",
    r"[\x7a-\x61]": "is out of order",
    "a{3,2}": "the repetition '{3,2}' has its numbers out of order",
    "\\": "the backslash at the end escapes nothing",
    r"\p{Foo}": "'\\p{Foo}' at 0 is no property that JavaScript knows",
    r"\p{Greek}": "is no property",
    r"\p{sc=}": "is no property",
    r"\p{gc=Foo}": "is no property",
    r"\p{Foo=Lu}": "is no property",
    r"\pL": "'\\p' at 0 is followed by no property in braces",
    r"\k<n>": "'\\k<n>' at 0 names no group",
    r"\k": "'\\k' at 0 is followed by no name of a group",
    "(?<n>x)(?<n>y)": "two groups have the name 'n'",
    "(?<n>(?<n>y))": "two groups have the name 'n'",
    "((?<n>x))(a|(?<n>y))": "two groups have the name 'n'",
    "(?<1a>x)": "has '1a' for a name",
    "(?<a-b>x)": "has 'a-b' for a name",
    "(?<>x)": "has '' for a name",
    r"\c1": "'\\c' at 0 is followed by no letter",
    r"\c": "'\\c' at 0 is followed by no letter",
    r"\x4": "too few hexadecimal digits",
    r"\u12": "too few hexadecimal digits",
    r"\u{}": "too few hexadecimal digits",
    r"\u{110000}": "past the last code point",
    r"\u{fffffffffffffffffffffff}": "past the last code point",
}


@pytest.mark.parametrize("pattern", VALID)
def test_an_expression_of_ecma_262_passes(pattern: str) -> None:
    assert ecma_regex_error(pattern) is None


@pytest.mark.parametrize(("pattern", "reason"), INVALID.items())
def test_what_is_no_expression_is_told_with_its_reason(pattern: str, reason: str) -> None:
    assert reason in (ecma_regex_error(pattern) or "")
    assert not has_lookaround(pattern)
    assert ecma_to_python(pattern) is None
    assert ecma_to_rust(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "looks"),
    [
        ("(?=a)", True),
        ("a(?!b)", True),
        ("(a|(?<=b))", True),
        ("(?<!b)", True),
        (r"\(?=a", False),
        ("[(?=a)]", False),
        ("(?:a)", False),
        ("(?<n>a)", False),
        ("abc", False),
    ],
)
def test_lookaround_is_told_from_what_looks_like_it(pattern: str, looks: bool) -> None:
    assert has_lookaround(pattern) is looks


MEANINGS = [
    (r"^\d$", "7", "٣"),
    (r"^\w$", "a", "é"),
    (r"^\W$", "é", "a"),
    (r"^\s$", "\ufeff", "a"),
    (r"^\S$", "a", "\u2028"),
    (r"^[^\s]$", "a", "\xa0"),
    (r"^.$", "\x85", "\u2029"),
    (r"^.$", "\U0001f600", "\n"),
    (r"^a$", "a", "a\n"),
    (r"\bé", "aé", "é"),
    (r"\B-", "-", "a-"),
    (r"^\cA$", "\x01", "A"),
    (r"^[\b]$", "\x08", "b"),
    (r"^\0$", "\0", "0"),
    (r"^\u{1F600}$", "\U0001f600", "u"),
    (r"^\ud83d\ude00$", "\U0001f600", "?"),
    (r"^[a-c]$", "b", "d"),
    (r"^[^a-c]$", "\n", "b"),
    (r"^[^]$", "\n", ""),
    (r"^a{,3}$", "a{,3}", "aa"),
    (r"^[a&&b]$", "&", "c"),
    (r"^[[:alpha:]]$", "a]", "a"),
    (r"^[\d-x]$", "-", "a"),
    (r"^(a)|b\1$", "b", "c"),
    (r"^(?<n>a)\k<n>$", "aa", "ab"),
    (r"^\2(a)(b)$", "ab", "bab"),
    (r"^(?i:A)b$", "ab", "aB"),
    (r"^(?=a)*b", "b", "a"),
    (r"^(?=a){2}a", "a", "b"),
    (r"^(?:a*)*$", "aaa", "b"),
    (r"^(a{2}){1,2}?$", "aaaa", "aaa"),
    (r"^\p{Lu}$", "É", "é"),
    (r"^\P{Lu}$", "é", "É"),
    (r"^[^\p{L}\d]$", "-", "é"),
    (r"^[\P{L}]$", "-", "é"),
    (r"^\p{ASCII}$", "a", "é"),
    (r"^\p{LC}$", "a", "1"),
    (r"^[\-\]]$", "]", "a"),
    (r"^\$\.$", "$.", "a."),
    (r"^\8$", "8", "\x08"),
    (r"^\101$", "A", "1"),
    (r"(?<!a)b", "b", "ab"),
    (r"^x{0}$", "", "x"),
]


@pytest.mark.parametrize(("pattern", "yes", "no"), MEANINGS)
def test_a_pattern_means_the_same_in_both_engines(pattern: str, yes: str, no: str) -> None:
    python, rust = ecma_to_python(pattern), ecma_to_rust(pattern)
    assert python is not None
    assert rust is not None
    validator = jsonschema_rs.Draft202012Validator({"pattern": rust})

    assert [bool(python.search(text)) for text in (yes, no)] == [True, False]
    if rf"\{1}" not in pattern or "|" not in pattern:  # Rust fails where no group took part
        assert [validator.is_valid(text) for text in (yes, no)] == [True, False]


PIECES = st.sampled_from(
    ["a", "b", "é", "-", " ", ".", r"\d", r"\w", r"\W", r"\s", "[ab]", "[^a-c]", r"[\d-]", r"\b", "^",
     "$", "(a|b)", "(?:a)", "(?=a)", "(?!b)", r"\p{L}", r"[^\s]", r"\u{62}", r"\.", "|"]
)  # fmt: skip
REPEATS = st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,2}", "+?"])


@given(
    st.lists(st.tuples(PIECES, REPEATS), max_size=5),
    st.lists(st.text("ab1é- \n.c", max_size=6), min_size=1, max_size=4),
)
def test_both_translations_find_the_same_texts(
    pieces: list[tuple[str, str]], texts: list[str]
) -> None:
    pattern = "".join(piece + repeat for piece, repeat in pieces)
    python, rust = ecma_to_python(pattern), ecma_to_rust(pattern)
    if python is None or rust is None:
        assert ecma_regex_error(pattern) is not None
        return
    validator = jsonschema_rs.Draft202012Validator({"pattern": rust})

    for text in texts:
        assert bool(python.search(text)) is validator.is_valid(text)


@given(st.text("abc()[]{}?*+|^$.\\-<>=!:,0123dwsbpPLkxuiAZn \ud800é", max_size=12))
def test_any_text_is_judged_without_raising(pattern: str) -> None:
    error = ecma_regex_error(pattern)
    compiled = ecma_to_python(pattern)
    has_lookaround(pattern)
    searchable_length(pattern)
    ecma_to_rust(pattern)

    assert error is None or (error and compiled is None)


@pytest.mark.filterwarnings("ignore::FutureWarning")  # Python's, on sets that may nest one day
@given(st.text("abc()[]?*+|^$.\\-dw,{}12", max_size=8))
def test_what_python_refuses_for_its_structure_is_refused_here(pattern: str) -> None:
    """Ours: an unbalanced group is an error in every language."""
    try:
        re.compile(pattern)
    except re.error as error:
        if any(words in error.msg for words in ("unterminated subpattern", "unbalanced paren")):
            assert ecma_regex_error(pattern) is not None


@pytest.mark.parametrize(
    "pattern", [r"\p{Script=Greek}", r"\p{Alphabetic}", "(?m:a)", "(?<=a*)b", "(" * 60 + ")" * 60]
)
def test_what_python_cannot_say_is_not_translated(pattern: str) -> None:
    assert ecma_regex_error(pattern) is None
    assert ecma_to_python(pattern) is None


@pytest.mark.parametrize("pattern", [r"\ud800", "[\ud800]"])
def test_what_rust_cannot_say_is_not_translated(pattern: str) -> None:
    assert ecma_to_rust(pattern) is None
    assert ecma_to_python(pattern) is not None


@pytest.mark.parametrize(
    ("pattern", "length"),
    [
        ("^(a+)+$", 24),
        ("(a|b*)*c", 24),
        ("^(a|a)+$", 24),
        (r"(\w+\s?)*$", 24),
        ("(?=(a+)+)b", 24),
        (r"(a)\1", 24),
        ("((a{2}){3})", 24),
        ("(" * 2000 + "a*" + ")*" * 2000, 24),
        ("a" * (LONGEST + 1), 24),
        ("(", 24),
        ("^a+$", 10_000_000),
        ("a+$", 3162),
        ("^a+b*$", 3162),
        ("^a|b*$", 3162),
        ("(a?)+", 3162),
        ("abc", 10_000_000),
    ],
    ids=lambda given: str(given)[:30],
)
def test_python_searches_no_text_for_hours(pattern: str, length: int) -> None:
    assert searchable_length(pattern) == length


@pytest.mark.parametrize(
    "pattern",
    ["(" * 50_000 + ")" * 50_000, "[" * 90_000, "(?<a>" * 9000, "a|" * 40_000, "a" * 2_000_000, "[a-z]{2}" * 9000],
    ids=lambda pattern: pattern[:8],
)  # fmt: skip
def test_long_patterns_are_judged_in_linear_time(pattern: str) -> None:
    reason = ecma_regex_error(pattern)

    assert reason is None or "not closed" in reason or "the name" in reason
    has_lookaround(pattern)
    ecma_to_rust(pattern)
    searchable_length(pattern)


def test_a_pattern_too_long_to_read_is_not_judged() -> None:
    assert ecma_regex_error("(" * (LONGEST + 1)) is None
    assert ecma_to_python("a" * (LONGEST + 1)) is None
    assert not has_lookaround("(?=a)" * LONGEST)
