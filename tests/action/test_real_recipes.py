"""Recipes, as act runs them: on a repository like the one that each is written for."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.image.servers import node_repository, python_repository

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "docs" / "recipes" / "github"
STUBS = Path(__file__).parent / "act_stubs"
BOTH_SERVERS = """servers:
  weather: { command: [python, -m, greeter_server] }
  billing: { command: [node, billing/server.js] }
"""


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `uses: toolproof/action@...` gets: the files that git tracks, as they are now."""
    folder = tmp_path_factory.mktemp("checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-zco", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def commit(folder: Path) -> None:
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        name = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run(["git", *name, *words], cwd=folder, check=True)


def run(recipe: str, repository: Path, checkout: Path, *options: str, event: str = "push") -> str:
    """Run a recipe in a repository; the log of a run that is green."""
    workflow = repository / ".github" / "workflows" / recipe
    workflow.parent.mkdir(parents=True)
    shutil.copy(RECIPES / recipe, workflow)
    commit(repository)
    env = os.environ | {"ACT_ROOT": str(checkout), "ACT_STUBS": str(STUBS), "ACT_EVENT": event}
    done = subprocess.run(
        ["bash", ROOT / "scripts" / "act-run.sh", ROOT / ".venv-lint", workflow, *options],
        cwd=repository,
        env=env,
        capture_output=True,
        text=True,
        timeout=550,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("recipe", ["minimal.yml", "python.yml", "fork.yml", "sarif.yml"])
def test_a_recipe_for_a_python_server(recipe: str, tmp_path: Path, checkout: Path) -> None:
    event = "pull_request" if recipe == "fork.yml" else "push"

    log = run(recipe, python_repository(tmp_path / "repository"), checkout, event=event)

    assert "outcome=passed" in log
    assert "greeter passed" in log


@pytest.mark.parametrize("where", ["container", "host"])
def test_the_recipe_for_a_node_server(where: str, tmp_path: Path, checkout: Path) -> None:
    repository = node_repository(tmp_path / "repository")
    platform = ["--platform", "macos-latest=-self-hosted", "--matrix", "os:macos-latest"]

    log = run(
        "node.yml", repository, checkout, "--job", where, *(platform if where == "host" else [])
    )

    assert "outcome=passed" in log


def test_the_recipe_for_several_servers(tmp_path: Path, checkout: Path) -> None:
    repository = python_repository(tmp_path / "repository")
    node_repository(repository / "billing")
    (repository / "toolproof.yaml").write_text(BOTH_SERVERS)

    log = run("matrix.yml", repository, checkout)

    assert log.count("outcome=passed") >= 2


def test_each_recipe_is_run_here_or_it_is_known_why_not() -> None:
    run_here = {"minimal.yml", "python.yml", "fork.yml", "sarif.yml", "node.yml", "matrix.yml"}
    not_here = {
        "go.yml",  # needs Go
        "url.yml",  # needs a service container
        "merge.yml",  # needs artifacts, which pass from job to job
    }

    assert {path.name for path in RECIPES.glob("*.yml")} == run_here | not_here
