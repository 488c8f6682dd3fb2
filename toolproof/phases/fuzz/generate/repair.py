"""An invalid schema without the keywords that make it invalid, so that something can be made of it."""

import copy
from typing import Any

from toolproof.schemas import SchemaError, Validator
from toolproof.schemas.pointers import steps_of

_MOST_ROUNDS = 50
_ANY_OBJECT = {"type": "object"}


def repaired(schema: Any) -> Any:
    """A schema by which values can be judged: what is wrong is left out, else any object fits."""
    try:
        made = copy.deepcopy(schema)
    except RecursionError:
        return dict(_ANY_OBJECT)
    for _ in range(_MOST_ROUNDS):
        try:
            Validator(made, formats=True)
        except RecursionError:
            break
        except SchemaError as error:
            if not _drop(made, error.pointer):
                break
        else:
            return made
    return dict(_ANY_OBJECT)


def _drop(schema: Any, pointer: str) -> bool:
    """Take out what the pointer leads to; whether there was something."""
    try:
        *above, last = steps_of(pointer)
        for step in above:
            schema = schema[int(step)] if isinstance(schema, list) else schema[step]
        if isinstance(schema, list):
            del schema[int(last)]
        else:
            del schema[last]
    except (ValueError, LookupError, TypeError):
        return False
    return True
