"""What is wrong with a value or with a schema."""

from typing import Any

from toolproof.records import record


@record
class Breach:
    """One way in which a value does not fit a schema.

    Attributes:
        pointer: JSON pointer into the value; empty for the value itself.
        keyword: The keyword of the schema that is broken. Where the value is itself a schema that
            breaks its meta-schema, the keyword of that schema that is wrong: `exclusiveMinimum`.
        message: What was found and what is expected, in our words. One line, under 200 characters,
            without raw control or invisible characters.
        value: What was found.
        schema_pointer: JSON pointer of the keyword in the schema.
    """

    pointer: str
    keyword: str
    message: str
    value: Any
    schema_pointer: str = ""


class SchemaError(ValueError):
    """A schema by which no value can be judged: invalid, a dangling reference, too deep.

    Attributes:
        reason: Why, lower case, without a final period.
        pointer: JSON pointer to the place in the schema, empty for the whole of it.
    """

    def __init__(self, reason: str, pointer: str = "") -> None:
        super().__init__(f"{reason} at {pointer}" if pointer else reason)
        self.reason = reason
        self.pointer = pointer
