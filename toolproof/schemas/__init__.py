"""JSON Schema: which dialect, is the schema valid in it, does a value fit, and where not.

One place decides what validates: jsonschema-rs (Rust; 30 to 100 times as fast), else jsonschema.
Nothing is ever fetched.
"""

from toolproof.schemas.breach import Breach, SchemaError
from toolproof.schemas.dialects import Dialect, dialect_of
from toolproof.schemas.engines import warm_up
from toolproof.schemas.equality import first_repeated, identity
from toolproof.schemas.metaschema import breaches_of_schema
from toolproof.schemas.pattern_text import ecma_to_python
from toolproof.schemas.patterns import ecma_regex_error, has_lookaround
from toolproof.schemas.pointers import escape_token, pointer_of, steps_of, value_at
from toolproof.schemas.references import (
    REFERENCES,
    Reference,
    References,
    RefKind,
    ref_kind,
    resolve,
)
from toolproof.schemas.validator import Validator
from toolproof.schemas.walk import FORMATS, subschemas
from toolproof.schemas.wording import type_of

__all__ = [
    "FORMATS",
    "REFERENCES",
    "Breach",
    "Dialect",
    "RefKind",
    "Reference",
    "References",
    "SchemaError",
    "Validator",
    "breaches_of_schema",
    "dialect_of",
    "ecma_regex_error",
    "ecma_to_python",
    "escape_token",
    "first_repeated",
    "has_lookaround",
    "identity",
    "pointer_of",
    "ref_kind",
    "resolve",
    "steps_of",
    "subschemas",
    "type_of",
    "value_at",
    "warm_up",
]
