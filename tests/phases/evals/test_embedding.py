"""Pairs by meaning: the real SDK against an endpoint on loopback, the real library on a real model."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.phases.evals.static_models import save_model
from tests.servers.embedding_api import embedding as served
from tests.servers.scripted_api import Api
from toolproof.config import EvalsConfig
from toolproof.phases.evals import embedding
from toolproof.phases.evals.distractors import DISTRACTORS
from toolproof.phases.evals.embedding import near_by_meaning
from toolproof.phases.evals.meaning import MOST_TOOLS, text_of
from toolproof.phases.evals.offline import confusable
from toolproof.phases.evals.providers.provider import ProviderError
from toolproof.report import Tool

# model2vec before 0.10 leaves the files that it reads to the garbage collector
pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
TOOLS = [
    Tool({"name": "search_files", "description": "Searches the workspace."}),
    Tool({"name": "resize_image", "description": "Makes a picture smaller."}),
    Tool({"name": "find_documents", "description": "Locates papers in a folder."}),
]
OFF = EvalsConfig(enabled=False)
OPENAI = EvalsConfig(enabled=False, provider="openai", timeout_s=0.3)


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    monkeypatch.setattr(embedding, "LONGEST_PAUSE_S", 0.01)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with served() as found:
        monkeypatch.setenv("OPENAI_BASE_URL", found.url)
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = [text_of(tool) for tool in (*TOOLS, *(Tool(dict(d)) for d in DISTRACTORS))]
    words = {word.strip(".,").lower() for text in texts for word in text.split()}
    return save_model(tmp_path / "model", sorted(words))


async def fault(model: str, config: EvalsConfig | None = None) -> ProviderError:
    with pytest.raises(ProviderError) as told:
        await near_by_meaning(model, TOOLS, config or OFF)
    return told.value


async def test_a_folder_finds_what_words_do_not(folder: Path) -> None:
    found = await near_by_meaning(str(folder), TOOLS, OFF)

    assert found.keys() == {(0, 2)}
    assert confusable(TOOLS) == []
    [pair] = confusable(TOOLS, near=found)
    assert (pair.first, pair.second) == ("search_files", "find_documents")
    assert (pair.by_words, pair.by_meaning) == (None, pair.likeness)


async def test_half_characters_and_unknown_words_are_no_obstacle(folder: Path) -> None:
    odd = [Tool({"name": "\ud800", "description": "\ud800"}), Tool({"name": "qwrtz"})]

    assert await near_by_meaning(str(folder), odd, OFF) == {}


@pytest.mark.parametrize("model", ["openai:good", "openai:backwards", "openai:status 429 once"])
async def test_an_endpoint_finds_the_same(endpoint: Api, model: str) -> None:
    found = await near_by_meaning(model, TOOLS, OFF)

    assert found.keys() == {(0, 2)}
    assert endpoint.asked[-1]["encoding_format"] == "float"
    assert endpoint.asked[-1]["input"][:1] == ["search files. Searches the workspace."]


async def test_the_address_of_the_evals_comes_first(
    endpoint: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    config = EvalsConfig(enabled=False, provider="openai", base_url=endpoint.url)

    assert await near_by_meaning("openai:good", TOOLS, config)
    assert endpoint.keys == ["Bearer sk-test-0123456789"]


async def test_many_texts_go_in_pieces_and_too_many_tools_do_not_go(endpoint: Api) -> None:
    tools = [Tool({"name": f"tool_{at}"}) for at in range(MOST_TOOLS + 5)]

    await near_by_meaning("openai:good", tools, OFF)

    sent = [len(request["input"]) for request in endpoint.asked]
    assert max(sent) <= 64
    assert sum(sent) == MOST_TOOLS + len(DISTRACTORS)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("status 500", r"the API answered 500: .*\(3 tries\)"),
        ("slow", r"no answer within 0\.3 s \(3 tries\)"),
        ("garbage", "the answer is no JSON: '<html>not JSON</html>'"),
        ("no data", "the answer has no vectors"),
        ("too few", "it gave 22 vectors for 23 texts"),
        ("ragged", "its vectors have 63 and 64 numbers"),
        ("not a number", "vector 1 holds what is no finite number"),
        ("all alike", "it gives texts that have nothing in common the same vector"),
    ],
)
async def test_an_endpoint_that_fails_is_told_of_and_is_nobodys_mistake(
    endpoint: Api, model: str, said: str
) -> None:
    error = await fault(f"openai:{model}", OPENAI)

    assert not error.fatal
    assert re.search(said, str(error))
    assert endpoint.asked


async def test_no_endpoint_at_all_is_nobodys_mistake_either(
    endpoint: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")

    error = await fault("openai:good")

    assert "cannot be reached at http://127.0.0.1:1/v1" in str(error)
    assert (error.fatal, error.hint) == (False, "Check OPENAI_BASE_URL and the network.")
    assert not endpoint.asked


@pytest.mark.parametrize("status", [400, 401, 404])
async def test_what_an_endpoint_refuses_must_be_changed(endpoint: Api, status: int) -> None:
    error = await fault(f"openai:status {status}")

    assert error.fatal
    assert f"the API answered {status}: " in str(error)
    assert error.hint is not None
    assert ("key" if status == 401 else "OPENAI_BASE_URL") in error.hint
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize(
    ("address", "model", "said"),
    [
        (None, "openai:m", "there is no key: OPENAI_API_KEY is not set"),
        ("localhost", "openai:m", "OPENAI_BASE_URL is no address, 'localhost'"),
        ("http://x:port", "openai:m", "OPENAI_BASE_URL is no address, 'http://x:port'"),
        (None, "openai: ", "there is no model after 'openai:'"),
        (None, "./nowhere", "'./nowhere' is no folder"),
        (None, sys.executable, "is no folder, but a file"),
    ],
)
async def test_what_the_user_must_change_is_said(
    monkeypatch: pytest.MonkeyPatch, address: str | None, model: str, said: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    if address is not None:
        monkeypatch.setenv("OPENAI_BASE_URL", address)

    error = await fault(model)

    assert said in str(error)
    assert error.fatal


async def test_a_folder_without_a_model_or_with_a_broken_one_is_said(
    tmp_path: Path, folder: Path
) -> None:
    empty = await fault(str(tmp_path))
    (folder / "model.safetensors").write_bytes(b"\xff" * 64)
    broken = await fault(str(folder))

    assert empty.fatal
    assert broken.fatal
    assert "is no model that model2vec can load: " in str(empty)
    assert "is no model that model2vec can load: " in str(broken)


async def test_a_model_that_fails_at_a_text_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from model2vec import StaticModel  # noqa: PLC0415 - what is broken here on purpose

    def fails(*_args: Any, **_kwargs: Any) -> None:
        raise ZeroDivisionError("over")

    monkeypatch.setattr(StaticModel, "encode", fails)

    assert "the model fails: over" in str(await fault(str(folder)))


@pytest.mark.parametrize(
    ("package", "model"), [("model2vec", "some/model"), ("openai", "openai:some")]
)
async def test_a_missing_extra_is_said_with_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, package: str, model: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    error = await fault(model)

    assert str(error) == f"the package {package} is not installed"
    assert error.fatal
    assert error.hint is not None
    assert "pip install 'toolproof[" in error.hint
