import os
import shutil
import subprocess
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.finish.repositories import FIXTURES, written
from toolproof.finish.locate import locate
from toolproof.report.section import Place

ENOUGH_FOUND = 0.9
TOOL = '@mcp.tool()\ndef {0}() -> str:\n    """{1}"""\n'


def by_tool(places: dict[str, Place]) -> dict[str, tuple[str, int]]:
    return {label: (place.file, place.line) for label, place in places.items()}


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: path.stem)
@pytest.mark.parametrize("how", ["walked", "tracked"])
def test_no_tool_is_given_a_wrong_line(fixture: Path, how: str, tmp_path: Path) -> None:
    repository = written(fixture, tmp_path)
    if how == "tracked":
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
        subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)

    found = by_tool(locate(repository.tools, tmp_path, budget_s=60))

    wrong = {label: at for label, at in found.items() if repository.places.get(label) != at}
    assert wrong == {}
    assert len(found) >= ENOUGH_FOUND * len(repository.places)


def server(folder: Path, **tools: str) -> Path:
    file = folder / "server.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(TOOL.format(*tool) for tool in tools.items()), encoding="utf-8")
    return file


def test_a_place_says_how_it_was_found(tmp_path: Path) -> None:
    server(tmp_path, get_weather="Weather of a city, as it is now.")
    (tmp_path / "more.py").write_text('TEXT = "Names of all cities that are known."\n')

    found = locate(
        {
            "get_weather": "Weather of a city, as it is now.",
            "cities": "Names of all cities that are known.",
            "third": "Something else.",
        },
        tmp_path,
        source={"third": "more.py:1"},
    )

    assert found == {
        "get_weather": Place("server.py", 2, "definition"),
        "cities": Place("more.py", 1, "description"),
        "third": Place("more.py", 1, "override"),
    }


def test_files_are_named_from_the_workspace(tmp_path: Path) -> None:
    server(tmp_path / "packages" / "one", get_weather="Weather of a city.")

    found = locate({"get_weather": ""}, tmp_path / "packages", workspace=tmp_path)
    assert found == {}  # without a description it is another tool

    found = locate({"get_weather": "Weather of a city."}, tmp_path / "packages", workspace=tmp_path)
    assert by_tool(found) == {"get_weather": ("packages/one/server.py", 2)}


def test_nothing_outside_of_the_workspace_is_a_place(tmp_path: Path) -> None:
    server(tmp_path / "elsewhere", get_weather="Weather of a city.")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "linked.py").symlink_to(tmp_path / "elsewhere" / "server.py")
    tools = {"get_weather": "Weather of a city."}

    for source in (["../elsewhere"], {"get_weather": "../elsewhere/server.py:2"}, None):
        assert locate(tools, tmp_path / "here", source=source) == {}


@pytest.mark.parametrize(
    "where",
    [
        *("server.py", "server.py:", "server.py:0", "server.py:4", "server.py:x", "server.py:²"),
        *("server.py:" + "9" * 5000, ":1", "no.py:1", "\0:1", ".:1"),
    ],
)
def test_an_override_to_no_line_gives_no_place(tmp_path: Path, where: str) -> None:
    server(tmp_path, get_weather="Weather of a city.")

    found = locate({"get_weather": "Weather of a city."}, tmp_path, source={"get_weather": where})

    assert found == {}


def test_an_override_of_an_unknown_tool_is_none(tmp_path: Path) -> None:
    server(tmp_path, get_weather="Weather of a city.")

    assert locate({}, tmp_path, source={"get_weather": "server.py:2"}) == {}


def test_the_search_can_be_turned_off(tmp_path: Path) -> None:
    server(tmp_path, get_weather="Weather of a city.")

    assert locate({"get_weather": "Weather of a city."}, tmp_path, source=False) == {}


def test_the_config_names_what_to_search(tmp_path: Path) -> None:
    """Its own word counts even where the folder is one that a search leaves out."""
    server(tmp_path / "examples", get_weather="Weather of a city.")
    server(tmp_path / "src", get_weather="Weather of a town.")
    tools = {"get_weather": "Weather of a city."}

    assert locate(tools, tmp_path) == {}
    for source in (["examples"], "examples", ["examples/server.py"], [tmp_path / "examples"]):
        found = locate(tools, tmp_path / "src", source=source, base=tmp_path, workspace=tmp_path)
        assert by_tool(found) == {"get_weather": ("examples/server.py", 2)}


def test_only_tracked_files_count_where_git_tracks_any(tmp_path: Path) -> None:
    server(tmp_path / "src", get_weather="Weather of a city.")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
    shutil.copytree(tmp_path / "src", tmp_path / "made")

    found = locate({"get_weather": "Weather of a city."}, tmp_path)

    assert by_tool(found) == {"get_weather": ("src/server.py", 2)}


def test_a_copy_makes_it_uncertain(tmp_path: Path) -> None:
    server(tmp_path / "one", get_weather="Weather of a city.")
    server(tmp_path / "two", get_weather="Weather of a city.")

    assert locate({"get_weather": "Weather of a city."}, tmp_path) == {}


def test_minified_code_is_no_place(tmp_path: Path) -> None:
    text = 'a.registerTool("get_weather",{description:"Weather of a city."},f);'
    (tmp_path / "app.js").write_text("var x=1;" * 200 + text)

    assert locate({"get_weather": "Weather of a city."}, tmp_path) == {}


def test_a_long_description_is_no_minified_code(tmp_path: Path) -> None:
    long = "Weather of a city, " * 200
    (tmp_path / "app.js").write_text(f'server.tool("get_weather", "{long}", run);\n')

    found = locate({"get_weather": long}, tmp_path)

    assert by_tool(found) == {"get_weather": ("app.js", 1)}


def test_too_many_files_or_too_little_time_leave_only_what_the_config_says(tmp_path: Path) -> None:
    server(tmp_path, get_weather="Weather of a city.")
    (tmp_path / "b.py").touch()
    tools = {"get_weather": "Weather of a city.", "other": ""}
    source = {"other": "server.py:1"}

    few = locate(tools, tmp_path, source=source, max_files=1)
    ticks = count()
    late = locate(tools, tmp_path, source=source, budget_s=2, clock=lambda: float(next(ticks)))

    assert few == late == {"other": Place("server.py", 1, "override")}


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "large.py").write_bytes(b"#" * 1_000_001)
    (tmp_path / "broken.py").symlink_to("nowhere.py")
    (tmp_path / "binary.py").write_bytes(bytes(range(256)) + b'"get_weather"\xff')
    server(tmp_path, get_weather="Weather of a city.")

    found = locate({"get_weather": "Weather of a city."}, tmp_path)

    assert by_tool(found) == {"get_weather": ("server.py", 2)}


def test_a_git_within_the_folder_that_is_searched_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: a program named git may come with a pull request."""
    server(tmp_path, get_weather="Weather of a city.")
    fake = tmp_path / "git"
    fake.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    found = locate({"get_weather": "Weather of a city."}, tmp_path)

    assert by_tool(found) == {"get_weather": ("server.py", 2)}
    assert not (tmp_path / "ran").exists()


def test_a_git_that_does_not_answer_costs_only_the_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    fake = tmp_path / "bin" / "git"
    fake.write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    server(tmp_path / "here", get_weather="Weather of a city.")

    assert locate({"get_weather": "Weather of a city."}, tmp_path / "here", budget_s=0.1) == {}


def test_a_folder_that_is_not_there_has_no_places(tmp_path: Path) -> None:
    assert locate({"get_weather": "Weather of a city."}, tmp_path / "none") == {}


NAMES = st.text(max_size=30) | st.sampled_from(
    ["name", "text", "", "*", "<index 0>", "a_b_c_d_e_f_g_h_i_j_k", "\ud800", "'", '"""', "x" * 300]
)


@given(st.dictionaries(NAMES, st.text(max_size=60), max_size=8))
def test_any_names_and_descriptions_are_looked_for(tools: dict[str, str]) -> None:
    """Ours: both come from the server."""
    found = locate(tools, Path(__file__).parents[2] / "toolproof" / "finish", budget_s=60)

    assert found.keys() <= tools.keys()


@given(st.data(), st.sampled_from(FIXTURES))
def test_a_line_always_exists_and_holds_the_name_or_the_description(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, fixture: Path
) -> None:
    """Whatever a file looks like: pieces of it are shuffled, so that no form is whole."""
    root = tmp_path_factory.mktemp("repository")
    tools = written(fixture, root).tools
    for path in [path for path in root.rglob("*") if path.is_file()]:
        lines = path.read_text(encoding="utf-8").splitlines()
        path.write_text("\n".join(data.draw(st.permutations(lines[:40]))), encoding="utf-8")

    for label, place in locate(tools, root, budget_s=60).items():
        line = (root / place.file).read_text(encoding="utf-8").split("\n")[place.line - 1]
        known = [label, *label.split("_"), tools[label][:15], label.title().replace("_", "")]
        assert any(word and word in line for word in known), (label, line)
