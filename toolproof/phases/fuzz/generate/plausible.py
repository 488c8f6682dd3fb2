"""Values that a field of this name may well want, so that a call gets beyond the first check."""

import re
from collections.abc import Mapping
from typing import TypeVar

from toolproof.judgement.facts import Number

T = TypeVar("T")
_WORDS = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*")

TEXTS: Mapping[str, str] = {
    "path": "a.txt",
    "file": "a.txt",
    "filename": "a.txt",
    "filepath": "a.txt",
    "dir": ".",
    "directory": ".",
    "folder": ".",
    "cwd": ".",
    "url": "https://example.com/",
    "uri": "https://example.com/",
    "link": "https://example.com/",
    "href": "https://example.com/",
    "endpoint": "https://example.com/",
    "host": "localhost",
    "hostname": "localhost",
    "domain": "example.com",
    "ip": "127.0.0.1",
    "address": "127.0.0.1",
    "email": "a@example.com",
    "mail": "a@example.com",
    "timezone": "UTC",
    "zone": "UTC",
    "tz": "UTC",
    "date": "2024-02-29",
    "day": "2024-02-29",
    "datetime": "2024-02-29T12:00:00Z",
    "timestamp": "2024-02-29T12:00:00Z",
    "since": "2024-02-29",
    "until": "2024-02-29",
    "time": "12:00",
    "duration": "1h",
    "month": "2024-02",
    "year": "2024",
    "city": "Toronto",
    "location": "Toronto",
    "country": "CA",
    "language": "en",
    "lang": "en",
    "locale": "en",
    "currency": "EUR",
    "color": "#336699",
    "colour": "#336699",
    "expression": "1 + 1",
    "expr": "1 + 1",
    "formula": "=1+1",
    "sql": "SELECT 1",
    "json": "{}",
    "xml": "<a/>",
    "html": "<p>a</p>",
    "markdown": "# a",
    "yaml": "a: 1",
    "csv": "a,b\n1,2",
    "regex": "a",
    "pattern": "a",
    "glob": "*",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "id": "1",
    "number": "1",
    "version": "1.0.0",
    "branch": "main",
    "ref": "HEAD",
    "base64": "YQ==",
    "phone": "+14165550100",
    "cron": "0 0 * * *",
    "schedule": "0 0 * * *",
    "namespace": "default",
    "key": "a",
    "cell": "A1",
    "range": "A1:B2",
    "sheet": "Sheet1",
    "method": "GET",
}
"""By the last word of a name, or any word before; what is not here gets a single letter."""

NUMBERS: Mapping[str, Number] = {
    "port": 8080,
    "limit": 10,
    "count": 10,
    "size": 10,
    "page": 1,
    "offset": 0,
    "year": 2024,
    "month": 2,
    "day": 29,
    "hour": 12,
    "minute": 30,
    "width": 100,
    "height": 100,
    "latitude": 43.7,
    "lat": 43.7,
    "longitude": -79.4,
    "lon": -79.4,
    "lng": -79.4,
    "percent": 50,
    "temperature": 20,
    "timeout": 1,
}
"""By the last word of a name, or any word before; what is not here gets 1."""

PLAIN = "a"


def words_of(name: str) -> list[str]:
    """The words of a name, in lower case, the last first: `startDate` is date, start."""
    return [word.lower() for word in _WORDS.findall(name[-200:])][::-1]


def liked_text(name: str) -> str:
    """A text that a field of this name may want."""
    return _first(TEXTS, name, PLAIN)


def liked_number(name: str) -> Number:
    """A number that a field of this name may want."""
    return _first(NUMBERS, name, 1)


def _first(table: Mapping[str, T], name: str, otherwise: T) -> T:
    for word in words_of(name):
        found = table.get(word, table.get(word.removesuffix("s")))
        if found is not None:
            return found
    return otherwise
