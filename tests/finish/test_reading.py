"""Files that are no reports: one sentence each."""

from pathlib import Path

import pytest

from toolproof.errors import ConfigError
from toolproof.finish import reading
from toolproof.finish.reading import read_report


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it is no JSON"),
        (b"\xff\xfe\xfa", "it is not UTF-8"),
        (b"[" * 200_000, "it is nested too deeply for a report"),
        (b'{"a": ' + b"9" * 5000 + b"}", "it holds a number that is too long"),
        (b"{}", "it is no report of toolproof: there is no 'schema_version'"),
        (b"[]", "it is no report of toolproof"),
    ],
)
def test_what_is_no_report_is_told(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "r.json").write_bytes(data)

    with pytest.raises(ConfigError, match=said):
        read_report(tmp_path / "r.json")


def test_what_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "r.json").write_text("{}       ", encoding="utf-8")
    monkeypatch.setattr(reading, "MOST_BYTES", 5)

    for path, said in (
        (tmp_path, "this is a folder"),
        (tmp_path / "none.json", "no such file"),
        (tmp_path / "r.json", "it has over 5 bytes"),
        (tmp_path / "a\0b", "it cannot be read"),
    ):
        with pytest.raises(ConfigError, match=said):
            read_report(path)
