"""The folders under `examples/`, run as whoever copies one would."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.commanding import Ended, toolproof
from tests.running import needs_sdk_2

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, folder: Path) -> Ended:
    """`toolproof run` in a copy of an example, with the `python` of these tests first on PATH."""
    copy = shutil.copytree(EXAMPLES / name, folder / name)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return toolproof("run", "--json", "-", cwd=copy, PATH=path)


@pytest.mark.parametrize(
    ("name", "code", "errors"),
    [
        pytest.param("weather", 0, set(), marks=needs_sdk_2),
        ("flawed", 1, {"required-undeclared", "description-missing"}),
    ],
)
def test_an_example_ends_as_it_says(name: str, code: int, errors: set[str], tmp_path: Path) -> None:
    ended = run(name, tmp_path)

    problems = ended.json["checks"]
    assert {one["rule"] for one in problems if one["severity"] == "error"} == errors
    assert ended.code == code
