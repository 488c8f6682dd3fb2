"""Where toolproof.yaml is, if nobody says."""

from pathlib import Path

NAMES = ("toolproof.yaml", "toolproof.yml")


def find_config(start: Path) -> Path | None:
    """The nearest toolproof.yaml, from a folder up to the root of its repository.

    Outside of a repository only the folder itself is searched: what lies further up may be anyone's.
    """
    folders = [start.absolute(), *start.absolute().parents]
    root = next((i for i, folder in enumerate(folders) if (folder / ".git").exists()), 0)
    for folder in folders[: root + 1]:
        for name in NAMES:
            if (folder / name).is_file():
                return folder / name
    return None
