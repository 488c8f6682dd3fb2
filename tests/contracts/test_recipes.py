"""What recipes say of the action is so: their inputs and outputs exist, third parties are pinned."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.action_tables import inputs_table, outputs_table

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
RECIPES = sorted((ROOT / "docs" / "recipes" / "github").glob("*.yml"))
WORKFLOWS = [*RECIPES, *sorted((ROOT / ".github" / "workflows").glob("*.yml"))]
PINNED = re.compile(
    r"uses: (?:\./|[\w./-]+@[0-9a-f]{40}(?:,.*| # v\d+(?:\.\d+\.\d+)?.*)?)(?: # .*)?$"
)


def steps(path: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    return [step for job in jobs for step in job.get("steps", [])]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_inputs_and_outputs_of_the_action_exist(path: Path) -> None:
    """GitHub's runner: a misspelt input only warns, and a misspelt output is empty."""
    ours = [
        step
        for step in steps(path)
        if step.get("uses", "").startswith("toolproof/action@") or step.get("uses") == "./"
    ]
    text = path.read_text(encoding="utf-8")
    ids = [step["id"] for step in ours if "id" in step]
    named = re.findall(rf"steps\.(?:{'|'.join(ids) or '-'})\.outputs\.([\w-]+)", text)

    assert all(step.get("with", {}).keys() <= ACTION["inputs"].keys() for step in ours)
    assert set(named) <= ACTION["outputs"].keys()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_others_wrote_is_pinned_by_commit(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        if "uses:" in line and not line.lstrip().startswith("#"):
            assert PINNED.search(line.split("- ", 1)[-1].lstrip("{ ")), line


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.name)
def test_a_recipe_asks_for_no_more_than_it_needs(path: Path) -> None:
    recipe = yaml.safe_load(path.read_text(encoding="utf-8"))

    assert recipe["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in recipe.get(True, {})  # YAML 1.1 reads `on` as true
    for step in steps(path):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_the_shortest_recipe_has_twelve_lines() -> None:
    text = (ROOT / "docs" / "recipes" / "github" / "minimal.yml").read_text(encoding="utf-8")

    assert len(text.splitlines()) <= 12


def test_the_tables_name_every_input_and_output() -> None:
    for table, names in ((inputs_table(), ACTION["inputs"]), (outputs_table(), ACTION["outputs"])):
        rows = table.splitlines()[2:]
        assert [row.split("`")[1] for row in rows] == list(names)
        assert {row.replace("\\|", "").count("|") for row in rows} <= {3, 4}


def test_every_recipe_is_in_the_list() -> None:
    folder = ROOT / "docs" / "recipes"
    listed = set(re.findall(r"\]\(([\w./-]+)\)", (folder / "README.md").read_text("utf-8")))
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}

    assert listed == files - {"README.md"}
