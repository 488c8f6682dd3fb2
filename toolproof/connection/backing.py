"""What a session may ask of whoever made it, beyond its transport."""

from collections.abc import Callable
from typing import Protocol

from toolproof.errors import ServerError
from toolproof.records import record


class Secrets(Protocol):
    """Knows the secret values of a config."""

    def found_in(self, data: bytes) -> bool:
        """Does one of them stand there, in any of its forms?"""


@record
class Backing:
    """What a session may ask of its transport beyond carrying messages.

    Attributes:
        over_http: Whether requests need headers, and messages may overtake each other.
        hint: What may be why no answer came; "" if nothing is known.
        excuse: Told before a close that finds the server busy: being late is then no fault.
        refusal: Why the server could not be opened, in better words than an outcome has.
        waited_s: How long its processes had to wait for a processor.
        hosted: Whether the server behind the URL is a process of ours.
        event: Writes down what happened, with facts by name.
    """

    over_http: bool = False
    hint: Callable[[], str] = str
    excuse: Callable[[], None] = lambda: None
    refusal: Callable[[], ServerError | None] = lambda: None
    waited_s: Callable[[], float] = float
    hosted: bool = False
    event: Callable[..., None] = lambda _what, **_facts: None
