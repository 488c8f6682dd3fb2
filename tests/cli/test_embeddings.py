"""`toolproof eval --offline --embeddings`: what is shown, and how it ends."""

import json
from pathlib import Path

import pytest

from tests.cli.commanding import Here, toolproof
from tests.phases.evals.static_models import save_model
from tests.servers.embedding_api import embedding as served
from tests.servers.from_file import command
from toolproof.phases.evals import embedding, meaning
from toolproof.phases.evals.distractors import DISTRACTORS
from toolproof.phases.evals.meaning import text_of
from toolproof.report import Tool

# model2vec before 0.10 leaves the files that it reads to the garbage collector
pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
TOOLS = [
    {"name": "search_files", "description": "Searches the workspace."},
    {"name": "resize_image", "description": "Makes a picture smaller."},
    {"name": "find_documents", "description": "Locates papers in a folder."},
    {"name": "seek_person", "description": "Returns contact details of somebody."},
    {"name": "look_person", "description": "Returns contact details of somebody."},
]


def listing(folder: Path) -> list[str]:
    """The command of a server that lists `TOOLS`."""
    path = folder / "tools.json"
    schema = {"inputSchema": {"type": "object"}}
    path.write_text(json.dumps([{**tool, **schema} for tool in TOOLS]), encoding="utf-8")
    return command(path)


def model(folder: Path) -> Path:
    texts = [text_of(Tool(dict(entry))) for entry in (*TOOLS, *DISTRACTORS)]
    words = {word.strip(".,").lower() for text in texts for word in text.split()}
    return save_model(folder, sorted(words))


def test_a_pair_that_words_miss_is_listed_with_those_they_find(here: Here) -> None:
    server = listing(here.folder)
    folder = model(here.folder / "model")

    plain = here("eval", "--offline", "--", *server)
    both = here("eval", "--offline", "--embeddings", folder, "--", *server)
    prompts = here("eval", "--suggest", "--embeddings", folder, "--", *server)

    assert (plain.code, both.code, prompts.code) == (0, 0, 0)
    assert "search_files and find_documents" not in plain.stdout
    assert "(by " not in plain.stdout
    assert "search_files and find_documents  (by meaning)" in both.stdout
    assert "seek_person and look_person  (by words " in both.stdout
    assert 'expect_tool: "find_documents"' in prompts.stdout


def test_without_a_model_the_words_are_compared_all_the_same(here: Here) -> None:
    server = listing(here.folder)

    done = here("eval", "--offline", "--embeddings", "./nowhere", "--", *server)

    assert done.code == 2
    assert "seek_person and look_person" in done.stdout
    assert done.stderr.startswith("Error: --embeddings: './nowhere' is no folder\nHint: ")


def test_an_endpoint_that_fails_fails_nothing(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "LONGEST_PAUSE_S", 0.01)
    server = listing(here.folder)
    with served() as endpoint:
        failing, working = (
            here(
                "eval",
                "--offline",
                "--embeddings",
                f"openai:{name}",
                "--",
                *server,
                OPENAI_BASE_URL=endpoint.url,
            )
            for name in ("status 500", "good")
        )

    assert (failing.code, working.code) == (0, 0)
    assert "seek_person and look_person" in failing.stdout
    assert "Warning: tools are compared by words alone: the API answered 500" in failing.stderr
    assert "search_files and find_documents  (by meaning)" in working.stdout
    assert working.stderr == ""


def test_it_goes_with_advice_only(here: Here) -> None:
    done = here("eval", "--embeddings", "x", "--", *listing(here.folder))

    assert done.code == 2
    assert "--embeddings goes with --offline or --suggest" in done.stderr


def test_more_tools_than_are_compared_are_told_of(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (meaning, embedding):
        monkeypatch.setattr(module, "MOST_TOOLS", 3)
    folder = model(here.folder / "model")

    done = here("eval", "--offline", "--embeddings", folder, "--", *listing(here.folder))

    assert done.code == 0
    assert done.stderr == "Note: the first 3 of 5 tools are compared by meaning\n"


def test_of_two_tools_none_stands_out(here: Here) -> None:
    path = here.folder / "two.json"
    path.write_text(json.dumps([{**tool, "inputSchema": {}} for tool in TOOLS[:2]]), "utf-8")

    done = here(
        "eval", "--offline", "--embeddings", model(here.folder / "model"), "--", *command(path)
    )

    assert done.code == 0
    assert done.stderr == "Note: of fewer than 3 tools none stands out by its meaning\n"
    assert done.stdout.startswith("No two of 2 tools are so alike")


def test_a_name_is_looked_up_in_the_cache_of_the_hub(tmp_path: Path) -> None:
    """In a process of its own: the hub's library reads its environment once."""
    server = listing(tmp_path)
    cached = tmp_path / "hub" / "models--some--model"
    commit = "0" * 40
    model(cached / "snapshots" / commit)
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text(commit, encoding="utf-8")

    there, missing = (
        toolproof(
            "eval",
            "--offline",
            "--embeddings",
            name,
            "--",
            *server,
            cwd=tmp_path,
            HF_HOME=str(tmp_path),
        )
        for name in ("some/model", "some/other")
    )

    assert (there.code, missing.code) == (0, 2)
    assert "search_files and find_documents  (by meaning)" in there.stdout
    assert "'some/other' is no folder, and the cache of the model hub has no such" in missing.stderr
    assert "Hint: Get it once, with a network: hf download some/other." in missing.stderr
