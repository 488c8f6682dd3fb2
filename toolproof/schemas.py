"""JSON Schema: which dialect, is the schema valid in it, does a value fit, and where not.

One place decides what validates: jsonschema-rs (Rust; 30 to 100 times as fast), else jsonschema.
Nothing is ever fetched.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Dialect(StrEnum):
    """The dialects that are known, by the URI that `$schema` gives (without a final `#`)."""

    DRAFT_4 = "http://json-schema.org/draft-04/schema"
    DRAFT_6 = "http://json-schema.org/draft-06/schema"
    DRAFT_7 = "http://json-schema.org/draft-07/schema"
    DRAFT_2019_09 = "https://json-schema.org/draft/2019-09/schema"
    DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True, slots=True)
class Breach:
    """One way in which a value does not fit a schema.

    Attributes:
        pointer: JSON pointer into the value; empty for the value itself.
        keyword: The keyword of the schema that is broken.
        message: What was found and what is expected, in our words.
        value: What was found.
        schema_pointer: JSON pointer of the keyword in the schema.
    """

    pointer: str
    keyword: str
    message: str
    value: Any
    schema_pointer: str = ""


def escape_token(token: str | int) -> str:
    """One token of a JSON pointer (RFC 6901)."""
    return str(token).replace("~", "~0").replace("/", "~1")
