import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.phases.fuzz.leaks import credentials, is_confined, traversal

PASSWD = "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/:/sbin/nologin"
TOKEN = "ghp_q8Zr2Kd9Lm4Xw7Tb1Nc5Vy3Hs6Pj0Fg2RaEx"


@pytest.mark.parametrize("way", ["../../etc/passwd", "a/../../../etc/passwd", "%2e%2e/etc/passwd"])
def test_a_path_that_climbs_out_and_gives_the_file_is_told(way: str) -> None:
    found = traversal(PASSWD, {"path": way}, confined=False)

    assert found is not None
    assert found.kind == "path-traversal"
    assert "/etc/passwd" in found.detail


def test_an_absolute_path_is_told_only_of_a_tool_that_is_confined() -> None:
    given = {"path": "/etc/passwd"}

    assert traversal(PASSWD, given, confined=True) is not None
    assert traversal(PASSWD, given, confined=False) is None


def test_what_the_caller_sent_is_no_leak() -> None:
    given = {"path": "../../etc/passwd", "text": PASSWD}

    assert traversal(PASSWD, given, confined=True) is None


def test_a_file_that_was_not_asked_for_by_a_trick_is_none() -> None:
    assert traversal(PASSWD, {"path": "users.txt"}, confined=True) is None
    assert traversal("root: nothing here", {"path": "../../etc/passwd"}, confined=True) is None


def test_windows_has_such_a_file_too() -> None:
    found = traversal("; for 16-bit\n[fonts]\n", {"p": "..\\..\\windows\\win.ini"}, confined=False)

    assert found is not None
    assert "win.ini" in found.detail


@pytest.mark.parametrize(
    "text", ["Reads a file below the docs folder.", "A relative path.", "Path within the workspace"]
)
def test_a_tool_may_say_that_it_is_confined(text: str) -> None:
    assert is_confined(text)


def test_a_tool_that_says_nothing_is_not_confined() -> None:
    assert not is_confined("Reads any file of this machine.")


def test_a_credential_is_told_by_its_kind_and_never_in_full() -> None:
    [found] = credentials(f"debug: {TOKEN}, again {TOKEN}", {"x": "a"})

    assert found.kind == "secret-leak"
    assert "a GitHub token" in found.detail
    assert TOKEN not in found.detail


def test_a_credential_that_was_sent_may_come_back() -> None:
    assert list(credentials(f"you said {TOKEN}", {"x": [TOKEN]})) == []


@given(st.text(), st.dictionaries(st.text(), st.text() | st.none() | st.integers()))
def test_no_text_makes_it_raise(text: str, arguments: dict[str, object]) -> None:
    traversal(text, arguments, confined=True)
    list(credentials(text, arguments))
