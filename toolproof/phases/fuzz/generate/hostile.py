"""Inputs on which programs are known to break: texts, numbers, key names, structures.

None of them does harm where it works: what runs prints or reads, nothing writes or deletes.
"""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from toolproof.phases.fuzz.generate.plausible import words_of

Text = tuple[str, str]

LONG = 10_000
_COMBINING = "e\u0301"  # é in two code points

TEXTS: tuple[Text, ...] = (
    ("\x00", "NUL"),
    ("\n\r\t", "line ends and a tab"),
    ("a" * LONG, "10,000 letters"),
    ("../../../../etc/passwd", "path traversal"),
    ("'", "a quote"),
    ("日本語", "Japanese"),
    ("\U0001f469\u200d\U0001f469\u200d\U0001f467", "joined emoji"),
    ("{", "a brace"),
    ("\u202eabc", "right-to-left override"),
    ("%s%s%n", "format string"),
    ("{{7*7}}", "template"),
    ("__proto__", "__proto__"),
    ("constructor", "constructor"),
    ("$(id)", "shell substitution"),
    ("null", "null as text"),
    ("\ud800", "lone surrogate"),
    (_COMBINING, "letter in two code points"),
    ("עברית", "Hebrew"),
    ("0", "0 as text"),
    ("-1", "-1 as text"),
    ("' OR '1'='1", "SQL"),
    ("<b>&amp;</b>", "HTML"),
    ('"', "a double quote"),
    ("\\", "a backslash"),
    ("*", "an asterisk"),
    ("[", "a bracket"),
    ("(", "a parenthesis"),
    ("; id", "shell command"),
    ("`id`", "shell backquotes"),
    ("| id", "shell pipe"),
    ("/etc/passwd", "absolute path"),
    ("${7*7}", "expression"),
    ("true", "true as text"),
    ("NaN", "NaN as text"),
    ("1e999", "1e999 as text"),
    ("undefined", "undefined as text"),
    ("[]", "a list as text"),
    ("{}", "an object as text"),
    (" a ", "blanks around"),
    ("a\nb", "two lines"),
    ("a\r\nX-A: b", "header"),
    ("İ", "letter that grows in lower case"),
    ("ß", "letter that grows in upper case"),
    ("\ufeff", "byte order mark"),
    ("\u200b", "zero-width space"),
    ("\u2028", "line separator"),
    ("\x1b[31m", "terminal escape"),
    ("٣", "digit outside ASCII"),
    ("%00", "escaped NUL"),
    ("%2e%2e%2f", "escaped path traversal"),
    ("..\\..\\windows\\win.ini", "path traversal with backslashes"),
    ("file:///etc/passwd", "file URL"),
    ("javascript:0", "script URL"),
    ("\N{MATHEMATICAL SCRIPT CAPITAL X}", "letter outside the basic plane"),
    ("\uffff", "noncharacter"),
    ("\x7f", "DEL"),
    ("a" * 257, "257 letters"),
    ("é" * LONG, "10,000 letters outside ASCII"),
)
"""Each with a word for the reason; what breaks most programs comes first."""

_PATHS: tuple[Text, ...] = (
    ("../../../../etc/passwd", "path traversal"),
    ("/etc/passwd", "absolute path"),
    ("..", "the folder above"),
    ("no/such/file", "no such file"),
    ("/", "the root"),
    ("a\x00.txt", "NUL in a name"),
    ("~", "home"),
    ("..\\..\\windows\\win.ini", "path traversal with backslashes"),
    ("%2e%2e%2fetc%2fpasswd", "escaped path traversal"),
    ("file:///etc/passwd", "file URL"),
    ("/dev/null", "a device"),
    ("a" * 300, "a name of 300 letters"),
    ("é.txt", "letter outside ASCII"),
    (" ", "blank"),
)
_URLS: tuple[Text, ...] = (
    ("\n\r\t", "line ends and a tab"),
    ("http://", "no host"),
    ("http://[", "broken host"),
    ("file:///etc/passwd", "file URL"),
    ("http://127.0.0.1:9/", "closed port"),
    ("http://localhost:99999/", "port out of range"),
    ("javascript:0", "script URL"),
    ("//a", "no scheme"),
    ("https://例え.example/ü", "letter outside ASCII"),
    ("http://a b/", "with a blank"),
    ("data:,a", "data URL"),
    ("not a url", "words"),
)
_DATES: tuple[Text, ...] = (
    ("2023-02-29", "no such day"),
    ("0000-00-00", "all zero"),
    ("9999-12-31", "year 9999"),
    ("1970-01-01T00:00:00Z", "the epoch"),
    ("tomorrow", "a word"),
    ("31/12/2024", "other order"),
    ("2024-12-31T23:59:60Z", "leap second"),
    ("10000-01-01", "year 10000"),
    ("-1", "negative"),
)
_IDS: tuple[Text, ...] = (
    ("0", "0"),
    ("-1", "negative"),
    ("99999999999999999999", "20 digits"),
    ("../1", "path traversal"),
    ("1 OR 1=1", "SQL"),
    ("null", "null as text"),
    ("%00", "escaped NUL"),
    ("[object Object]", "an object as text"),
)
_QUERIES: tuple[Text, ...] = (
    ('"', "a double quote"),
    ("*", "an asterisk"),
    ("(", "a parenthesis"),
    ("' OR '1'='1", "SQL"),
    ("a AND", "half an expression"),
    ("\\", "a backslash"),
    ("%", "a per cent sign"),
    ("日本語", "Japanese"),
    ("a:b", "with a colon"),
)
_PATTERNS: tuple[Text, ...] = (
    ("(", "group not closed"),
    ("[", "class not closed"),
    ("*", "nothing to repeat"),
    ("(a+)+$", "nested repetition"),
    ("\\", "a backslash"),
    ("a{99999}", "many repetitions"),
    ("(?<=a", "lookbehind not closed"),
)
_EXPRESSIONS: tuple[Text, ...] = (
    ("1/0", "division by zero"),
    ("9**9**9", "a tower of powers"),
    ("(", "not closed"),
    ("1e999", "1e999"),
    ("a", "a name"),
    ("__import__('os').getcwd()", "code"),
    ("((((((((((1))))))))))", "many parentheses"),
    ("1,1", "a comma"),
    ("0x10", "hexadecimal"),
    ("factorial(99999)", "a large factorial"),
)
_STATEMENTS: tuple[Text, ...] = (
    ("SELECT", "half a statement"),
    ("SELECT 1; SELECT 2", "two statements"),
    ("SELECT * FROM no_such_table", "no such table"),
    ("'", "a quote"),
    ("SELECT '\x00'", "NUL in it"),
    ("-- a", "a comment"),
)
_JSON: tuple[Text, ...] = (
    ("{", "not closed"),
    ("[" * 200 + "]" * 200, "200 levels"),
    ("null", "null"),
    ('{"a":1,"a":2}', "a key twice"),
    ("NaN", "NaN"),
    ("'a'", "single quotes"),
)
_MAIL: tuple[Text, ...] = (
    ("a", "no at sign"),
    ("a@b\r\nBcc: c@example.com", "header"),
    ("ü@example.com", "letter outside ASCII"),
    ("@", "only the sign"),
)
_ZONES: tuple[Text, ...] = (
    ("Mars/Phobos", "no such zone"),
    ("../UTC", "path traversal"),
    ("utc", "lower case"),
    ("+25:00", "offset out of range"),
)
_WORDS: tuple[Text, ...] = (
    ("São Tomé", "letters outside ASCII"),
    ("北京", "Chinese"),
    ("Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch", "a long name"),
    ("O'Brien", "an apostrophe"),
    ("no such place", "unknown"),
)
_CRON: tuple[Text, ...] = (
    ("* * *", "three fields"),
    ("60 * * * *", "minute 60"),
    ("*/0 * * * *", "step 0"),
    ("@never", "no such name"),
)

BY_WORD: Mapping[str, tuple[Text, ...]] = {
    **dict.fromkeys(("path", "file", "filename", "filepath", "dir", "directory", "folder", "cwd", "root"), _PATHS),
    **dict.fromkeys(("url", "uri", "link", "href", "endpoint", "host", "hostname", "domain"), _URLS),
    **dict.fromkeys(("date", "datetime", "time", "timestamp", "since", "until", "day", "month", "start", "end"), _DATES),
    **dict.fromkeys(("id", "uuid", "ref", "number", "key", "version", "branch"), _IDS),
    **dict.fromkeys(("query", "search", "q", "term", "keyword", "filter", "question"), _QUERIES),
    **dict.fromkeys(("regex", "regexp", "pattern", "glob"), _PATTERNS),
    **dict.fromkeys(("expression", "expr", "formula", "equation", "calculation"), _EXPRESSIONS),
    **dict.fromkeys(("sql", "statement"), _STATEMENTS),
    **dict.fromkeys(("json", "data", "payload", "body"), _JSON),
    **dict.fromkeys(("email", "mail", "recipient"), _MAIL),
    **dict.fromkeys(("timezone", "zone", "tz"), _ZONES),
    **dict.fromkeys(("city", "location", "country", "name", "place", "region", "title"), _WORDS),
    **dict.fromkeys(("cron", "schedule"), _CRON),
}  # fmt: skip
"""By a word of the field's name."""

KEYS: tuple[Text, ...] = (
    ("__proto__", "key __proto__"),
    ("constructor", "key constructor"),
    ("", "empty key"),
    ("a.b", "key with a dot"),
    ("$ref", "key $ref"),
    ("é", "key outside ASCII"),
    ("\x00", "key NUL"),
    ("__class__", "key __class__"),
    ("toString", "key toString"),
    ("k" * 1_000, "key of 1,000 letters"),
    ("0", "key 0"),
    ("a b", "key with a blank"),
)


def _nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


STRUCTURES: tuple[tuple[Any, str], ...] = (
    ({"$ne": None}, "a query operator"),
    (_nested(100), "100 levels deep"),
    ({"__proto__": {"a": 1}}, "an object with __proto__"),
    ([None], "a list of null"),
    ({"a": {"b": {"c": []}}}, "nested objects"),
    (["a"] * 1_000, "a list of 1,000"),
    ({"toString": 1, "length": 1}, "an object with names of methods"),
)


def texts_for(name: str) -> Iterator[Text]:
    """The texts for a field of this name: those that its name asks for among the others."""
    special = [text for word in words_of(name) for text in _asked_by(word)]
    mixed = [text for pair in zip_longest(special, TEXTS) for text in pair if text]
    told: set[str] = set()
    for text, word in mixed:
        if text not in told:
            told.add(text)
            yield text, word


def _asked_by(word: str) -> tuple[Text, ...]:
    return BY_WORD.get(word, BY_WORD.get(word.removesuffix("s"), ()))
