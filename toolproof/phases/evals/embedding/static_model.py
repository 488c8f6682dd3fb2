"""Embeddings by a model in a folder, through model2vec: no network, no key, no large library."""

import re
from collections.abc import Sequence
from pathlib import Path

from toolproof.phases.evals.providers.provider import ProviderError, not_installed
from toolproof.text import shorten

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?")


class StaticEmbedder:
    """A static model: a vector for each word, and their mean for a text.

    Nothing is downloaded: what a run says shall not depend on a network, nor on who changes a hub.

    Args:
        model: A folder as model2vec writes it; or a name on the model hub, of which the hub's cache
            on this machine has a copy.

    Raises:
        ProviderError: The extra is not installed, or there is no such model.
    """

    most_texts = 1000

    def __init__(self, model: str) -> None:
        folder = Path(model).expanduser()
        here = folder.is_dir()
        if not here and not _HUB_NAME.fullmatch(model):
            what = "no folder, but a file" if folder.exists() else "no folder"
            raise ProviderError(f"{model!r} is {what}", hint=_HINT, fatal=True)
        try:
            from model2vec import StaticModel
        except ImportError as exc:
            raise not_installed("model2vec", "embeddings") from exc
        found = str(folder) if here else _cached(model)
        try:
            self._model = StaticModel.from_pretrained(found)
        except Exception as exc:  # the tokenizer's library raises Exception itself
            why = shorten(" ".join(str(exc).split()), 200)
            words = f"{model!r} is no model that model2vec can load: {why}"
            raise ProviderError(words, hint=_HINT, fatal=True) from exc

    async def embed(self, texts: Sequence[str]) -> list[object]:
        """A vector for each text; one of zeros where the model knows none of its words.

        Raises:
            ProviderError: The model fails.
        """
        try:
            found: list[object] = self._model.encode(list(texts)).tolist()
        except Exception as exc:  # as above
            why = shorten(" ".join(str(exc).split()), 200)
            raise ProviderError(f"the model fails: {why}", fatal=True) from exc
        return found

    async def close(self) -> None:
        """Nothing is open."""


_HINT = "Give the folder of a model that model2vec saved, or openai:NAME for one behind an API."


def _cached(name: str) -> str:
    """The folder of a model in the hub's cache."""
    try:
        from huggingface_hub import snapshot_download  # model2vec brings it

        folder: str = snapshot_download(name, local_files_only=True)
    except Exception as exc:  # errors of its own, of several kinds
        words = f"{name!r} is no folder, and the cache of the model hub has no such model"
        hint = f"Get it once, with a network: hf download {name}."
        raise ProviderError(words, hint=hint, fatal=True) from exc
    return folder
