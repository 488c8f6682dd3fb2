"""What tools mean to a model of embeddings: one of a local folder, or one behind an API."""

from collections.abc import Callable, Sequence

import anyio

from toolproof.config import EvalsConfig
from toolproof.phases.evals.distractors import DISTRACTORS
from toolproof.phases.evals.embedding.embedder import Embedder
from toolproof.phases.evals.meaning import MOST_TOOLS, checked, near, text_of
from toolproof.phases.evals.offline import CONFUSABLE, alike_in_words
from toolproof.phases.evals.providers.provider import ProviderError
from toolproof.report import Tool

OPENAI = "openai:"
"""Before the name of a model that an endpoint has."""
TRIES = 3
"""Of one request that the API could not answer: this is advice, so nobody waits for long."""
LONGEST_PAUSE_S = 10.0


def embedder_of(model: str, config: EvalsConfig) -> Embedder:
    """Who makes vectors; its library is imported here.

    Args:
        model: `openai:NAME`, a folder, or the name of a model on the hub that the library knows.
        config: For the address and the patience, where its provider is openai.

    Raises:
        ProviderError: The extra is not installed, there is no such model, or no key.
    """
    if model.startswith(OPENAI):
        from toolproof.phases.evals.embedding.openai_api import OpenAiEmbedder

        return OpenAiEmbedder(model.removeprefix(OPENAI), config)
    from toolproof.phases.evals.embedding.static_model import StaticEmbedder

    return StaticEmbedder(model)


async def near_by_meaning(
    model: str, tools: Sequence[Tool], config: EvalsConfig
) -> dict[tuple[int, int], float]:
    """The pairs among the first `MOST_TOOLS` that mean the same: their places, and how alike.

    Raises:
        ProviderError: The model cannot be had, or what it gives cannot be used.
    """
    few = tools[:MOST_TOOLS]
    references = [Tool(dict(entry)) for entry in DISTRACTORS]
    texts = [text_of(tool) for tool in (*few, *references)]
    embedder = embedder_of(model, config)
    try:
        raw = await _embed(embedder, texts)
    finally:
        with anyio.CancelScope(shield=True), anyio.move_on_after(5):
            await embedder.close()
    try:
        vectors = checked(raw, len(texts))
        return near(vectors[: len(few)], vectors[len(few) :], _words(few))
    except ValueError as error:
        raise ProviderError(f"the vectors of {model!r} cannot be used: {error}") from error


def _words(tools: Sequence[Tool]) -> Callable[[int, int], float]:
    """How alike two are in words; nothing where words make a pair of them, which meaning confirms."""
    alike = alike_in_words(tools)

    def words(i: int, j: int) -> float:
        likeness = alike(i, j)
        return likeness if likeness < CONFUSABLE else 0.0

    return words


async def _embed(embedder: Embedder, texts: Sequence[str]) -> list[object]:
    """Vectors of all texts, in pieces of as many as the embedder takes at once."""
    found: list[object] = []
    for start in range(0, len(texts), embedder.most_texts):
        found += await _ask(embedder, texts[start : start + embedder.most_texts])
    return found


async def _ask(embedder: Embedder, texts: Sequence[str]) -> list[object]:
    for attempt in range(1, TRIES + 1):
        try:
            return await embedder.embed(texts)
        except ProviderError as error:
            if not error.again:
                raise
            if attempt == TRIES:
                words = f"{error} ({attempt} tries)"
                raise ProviderError(words, hint=error.hint, again=True) from error
            await anyio.sleep(min(error.pause_s(attempt), LONGEST_PAUSE_S))
    raise ProviderError("no answer")


__all__ = ["Embedder", "embedder_of", "near_by_meaning"]
