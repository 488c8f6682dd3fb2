"""A small model of static embeddings, saved as model2vec saves one."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from model2vec import StaticModel
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace

from tests.servers.embedding_api import SAME, vector_of


def save_model(folder: Path, words: Sequence[str]) -> Path:
    """It knows these words, those of `SAME`, and what they mean; every other one is nothing."""
    known = ["[UNK]", *sorted({*words, *SAME, *SAME.values()})]
    tokenizer = Tokenizer(
        WordLevel(vocab={word: at for at, word in enumerate(known)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    vectors = np.array([[0.0] * 64, *map(vector_of, known[1:])])
    StaticModel(vectors, tokenizer, normalize=True).save_pretrained(str(folder))
    return folder
