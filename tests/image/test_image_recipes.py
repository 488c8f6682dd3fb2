"""The commands of recipes for CIs whose jobs run in the image, as their shells run them."""

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.image.engine import FULL, mounted, run
from tests.image.servers import python_repository

RECIPES = Path(__file__).parents[2] / "docs" / "recipes"


def gitlab() -> list[str]:
    job: dict[str, Any] = yaml.safe_load((RECIPES / "gitlab-ci.yml").read_text())["mcp-server"]
    return [*job["before_script"], *job["script"]]


def circleci() -> list[str]:
    job = yaml.safe_load((RECIPES / "circleci.yml").read_text())["jobs"]["toolproof"]
    return [step["run"]["command"] for step in job["steps"] if "run" in step]


def azure() -> list[str]:
    steps = yaml.safe_load((RECIPES / "azure-pipelines.yml").read_text())["steps"]
    return [step["bash"] for step in steps if "bash" in step]


def jenkins() -> list[str]:
    text = (RECIPES / "Jenkinsfile").read_text()
    return [text.split("sh '")[1].split("'")[0], text.split("sh '''")[1].split("'''")[0]]


@pytest.mark.parametrize("recipe", [gitlab, circleci, azure, jenkins])
def test_a_recipe_is_green_and_leaves_its_reports(recipe: Any, tmp_path: Path) -> None:
    folder = python_repository(tmp_path / "repository")
    shell = "bash" if recipe is azure else "sh"
    options = [*mounted(folder), "--env", "HOME=/tmp"]
    if recipe is jenkins:
        options += ["--user", "1001:121"]
        for path in (folder, *folder.rglob("*")):
            os.chown(path, 1001, 121)

    done = run(FULL, shell, "-ec", "\n".join(recipe()).replace("\\\n", ""), options=options)

    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / "toolproof-report" / "junit.xml").stat().st_size > 0
    assert (folder / "toolproof-report" / "report.html").stat().st_size > 0
