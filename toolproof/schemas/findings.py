"""What an engine found where a value does not fit, before it is put into words."""

from collections.abc import Sequence

from toolproof.records import record
from toolproof.schemas.pointers import Path


@record
class Finding:
    """One keyword that a value breaks; the same whichever engine found it.

    Attributes:
        path: To the part of the value.
        schema_path: The way that the engine took to the keyword, with the references it followed.
        branches: For `anyOf` and `oneOf`, what each branch found; nothing where it fits.
        name: For `propertyNames`, the name that does not fit.
        undecided: Whether the engine gave up: a pattern took too long.
    """

    path: Path
    schema_path: Path
    branches: Sequence[Sequence["Finding"]] = ()
    name: str | None = None
    undecided: bool = False
