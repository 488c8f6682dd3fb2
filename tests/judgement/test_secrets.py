import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.judgement.secrets import secrets_in

BASE62 = string.ascii_letters + string.digits
_DICE = random.Random(7)


def made(prefix: str, length: int, letters: str = BASE62) -> str:
    """A credential that nobody ever had."""
    return prefix + "".join(_DICE.choice(letters) for _ in range(length))


LIVE = [
    made("ghp_", 36),
    made("github_pat_", 82),
    made("glpat-", 20),
    made("AKIA", 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    made("xoxb-", 40),
    made("xapp-1-", 40),
    made("sk_live_", 24),
    made("sk-ant-api03-", 90),
    made("sk-proj-", 60),
    made("sk-", 48),
    made("AIza", 35),
    made("GOCSPX-", 28),
    made("ya29.", 60),
    made("npm_", 36),
    made("pypi-AgE", 80),
    made("hf_", 34),
    made("SG.", 22) + made(".", 43),
    made("dop_v1_", 64, "abcdef0189"),
    made("lin_api_", 40),
    made("ntn_", 44),
    made("shpat_", 32, string.hexdigits[:16]),
    made("hvs.", 40),
    made("sbp_", 40, "abcdef0189"),
    made("eyJ", 30) + made(".eyJ", 40) + made(".", 43),
    "postgres://stock:Kx7-tin-quarry-09@db.acme.test/stock",
    "redis://:Wq93kZpP@cache:6379",
    "https://bob:9f8a7s6d@repo.acme.test/x",
    "-----BEGIN RSA PRIVATE KEY-----\n" + made("", 64) + "\n",
    "-----BEGIN PRIVATE KEY-----\\n" + made("", 64) + "\\n",
]

PLACEHOLDERS = [
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "ghp_1234567890abcdefghijklmnopqrstuvwxyz",
    "AKIAIOSFODNN7EXAMPLE",
    "sk-your-key",
    "sk-...",
    "sk-learn-something",
    "Bearer <token>",
    "xoxb-your-token-goes-here-please",
    "sk-ant-api03-xxxxxxxx",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "postgres://user:password@localhost/db",
    "postgres://postgres:postgres@localhost:5432/x",
    "mysql://bob:secret@host/db",
    "redis://:***@cache",
    "http://{user}:{password}@acme.test",
    "mongodb://bob:${PASSWORD}@acme.test/x",
    "postgresql://bob:9f8a7s6d@db.example.com/x",
    "https://token@acme.test/x",
    "http://localhost:8080/a@b",
    "scp://host:/path@x",
    "https://acme.test:443/@bob/x",
    "https://a:xxx@acme.test",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n" + "A" * 64,
]


@pytest.mark.parametrize("value", LIVE, ids=range(len(LIVE)))
def test_a_value_like_a_live_credential_is_found_and_never_told_in_full(value: str) -> None:
    text = f"Set it to {value}, then call."

    [found] = secrets_in(text)

    assert text[found.at :].startswith(value[:6])
    assert value not in found.hint
    assert len(found.hint) < 60


@pytest.mark.parametrize("value", PLACEHOLDERS, ids=range(len(PLACEHOLDERS)))
def test_a_placeholder_is_none(value: str) -> None:
    assert list(secrets_in(f"Set it to {value}, then call.")) == []


@given(st.text(st.characters(exclude_categories=()), max_size=300))
def test_any_text_can_be_searched(text: str) -> None:
    for found in secrets_in(text):
        assert 0 <= found.at < len(text)


@given(
    st.lists(st.sampled_from(["://", "a:", "@", "sk-", "eyJ", ".", "PRIVATE KEY", "x" * 9, " "]))
)
def test_pieces_of_credentials_never_break_it(pieces: list[str]) -> None:
    list(secrets_in("".join(pieces)))
