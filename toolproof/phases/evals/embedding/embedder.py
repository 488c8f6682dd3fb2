"""What every maker of vectors is asked."""

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    """Turns texts into vectors.

    Attributes:
        most_texts: How many it takes at once.
    """

    most_texts: int

    async def embed(self, texts: Sequence[str]) -> list[object]:
        """A vector for each text, in their order, as they came: whoever uses them checks them.

        Raises:
            ProviderError: There are none.
        """

    async def close(self) -> None:
        """Let connections go."""
