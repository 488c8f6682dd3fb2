from pathlib import Path

from toolproof.config import find_config


def test_the_file_of_the_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "toolproof.yaml").touch()

    assert find_config(tmp_path) == tmp_path / "toolproof.yaml"


def test_the_nearest_file_up_to_the_root_of_the_repository_is_found(tmp_path: Path) -> None:
    inner = tmp_path / "repository" / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "repository" / ".git").mkdir()
    (tmp_path / "repository" / "toolproof.yml").touch()

    assert find_config(inner) == tmp_path / "repository" / "toolproof.yml"


def test_a_file_above_the_repository_is_not_taken(tmp_path: Path) -> None:
    """Ours: a config names a command to run, and what lies in a shared folder may be anyone's."""
    (tmp_path / "repository" / "a").mkdir(parents=True)
    (tmp_path / "repository" / ".git").write_text("gitdir: elsewhere", encoding="utf-8")
    (tmp_path / "toolproof.yaml").touch()

    assert find_config(tmp_path / "repository" / "a") is None


def test_without_a_repository_only_the_folder_itself_is_searched(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "toolproof.yaml").touch()

    assert find_config(tmp_path / "a") is None


def test_a_folder_of_that_name_is_no_config(tmp_path: Path) -> None:
    (tmp_path / "toolproof.yaml").mkdir()

    assert find_config(tmp_path) is None
