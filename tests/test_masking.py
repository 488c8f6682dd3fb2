import base64
import dataclasses
import json
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.masking import Secrets
from toolproof.text import shorten

SECRET = "p@ss/w\"ö\\rd+<x>&'y"


class Word(StrEnum):
    SAME = "secret-word"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    text: str
    inner: Any = None
    derived: int = dataclasses.field(default=0, init=False)


class Pair(NamedTuple):
    one: Any
    two: Any


def of(*values: str) -> Secrets:
    return Secrets.of({f"V{index}": value for index, value in enumerate(values)})


def forms(value: str) -> dict[str, str]:
    """Each form that reports.md names, made by other means than the product's."""
    data = value.encode(errors="surrogatepass")
    found = {
        "itself": value,
        "percent": quote(data, safe=""),
        "path": quote(data),
        "form": quote_plus(data),
        "lower": "".join(f"%{byte:02x}" if _reserved(byte) else chr(byte) for byte in data),
        "json": json.dumps(value, ensure_ascii=False)[1:-1],
        "ascii json": json.dumps(value)[1:-1],
        "json in json": json.dumps(json.dumps(value))[3:-3],
        "php": json.dumps(value)[1:-1].replace("/", "\\/"),
        "pointer": value.replace("~", "~0").replace("/", "~1"),
    }
    for name, encode in (("base64", base64.b64encode), ("urlsafe", base64.urlsafe_b64encode)):
        found[name] = encode(data).decode()
        found[f"{name} bare"] = encode(data).decode().rstrip("=")
        for before in (b"x", b"xy", b"xyz"):
            for after in (b"", b"z", b"zz"):
                found[f"{name} {len(before)}{len(after)}"] = encode(before + data + after).decode()
    return found


def _reserved(byte: int) -> bool:
    return not (chr(byte).isalnum() and byte < 128) and chr(byte) not in "_.-~"


secrets = st.text(st.characters(codec="utf-8"), min_size=4, max_size=24).filter(
    lambda text: (
        len(text.strip()) >= 4
        and text.lower() not in ("true", "false", "null")
        and not text.isdecimal()
        and "*" not in text
    )
)
texts = st.text(st.characters(codec="utf-8"), max_size=20)


@pytest.mark.parametrize("form", forms(SECRET))
def test_every_form_of_a_secret_is_masked(form: str) -> None:
    masked = of(SECRET).mask(f"<<{forms(SECRET)[form]}>>")

    assert "***" in masked
    if "6" not in form and "url" not in form:
        assert masked == "<<***>>"


@given(secrets, texts, texts)
def test_no_form_of_a_secret_is_left(secret: str, before: str, after: str) -> None:
    known = of(secret)

    for form in forms(secret).values():
        masked = known.mask(before + form + after)
        assert not known.found_in(masked.encode(errors="surrogatepass"))
        assert secret not in masked


@given(st.binary(min_size=0, max_size=5), secrets, st.binary(max_size=5))
def test_a_secret_inside_of_base64_leaves_no_more_than_the_characters_it_shares(
    before: bytes, secret: str, after: bytes
) -> None:
    data = secret.encode()
    text = base64.b64encode(before + data + after).decode()

    masked = of(secret).mask(text)

    left = [base64.b64decode(_padded(part)) for part in masked.split("***")]
    assert "***" in masked
    assert not any(data in part for part in left)


def _padded(part: str) -> str:
    part = part.rstrip("=")
    part = part[: len(part) - 1] if len(part) % 4 == 1 else part
    return part + "=" * (-len(part) % 4)


nested = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts | secrets,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(secrets | texts, inner, max_size=3)
        | st.builds(Pair, inner, inner)
        | st.lists(inner, max_size=3).map(tuple)
        | st.builds(Record, text=secrets | texts, inner=inner)
        | st.frozensets(texts, max_size=3)
    ),
    max_leaves=10,
)


@given(st.lists(secrets, min_size=1, max_size=3), nested, st.data())
def test_no_secret_is_left_in_any_structure(values: list[str], inner: Any, data: Any) -> None:
    known = of(*values)
    form = data.draw(st.sampled_from(list(forms(values[0]).values())))
    whole = {"a": [inner, {form: form}], "b": (Record(text=form, inner=inner),)}

    masked = known.mask_any(whole)

    assert not any(known.found_in(text.encode(errors="surrogatepass")) for text in _texts(masked))
    assert _shape(masked) == _shape(whole) or "***" in str(masked)


def _texts(value: Any) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [text for part in (*value, *value.values()) for text in _texts(part)]
        case list() | tuple() | frozenset():
            return [text for part in value for text in _texts(part)]
        case Record():
            return [*_texts(value.text), *_texts(value.inner)]
        case _:
            return []


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {"dict": [_shape(part) for part in value.values()]}
    if isinstance(value, list | tuple):
        return (type(value), [_shape(part) for part in value])
    return type(value)


@given(st.lists(secrets, max_size=3), nested)
def test_masking_twice_is_masking_once(values: list[str], inner: Any) -> None:
    known = of(*values)
    once = known.mask_any([inner, *values])

    assert str(known.mask_any(once)) == str(once)


@given(secrets, texts)
def test_a_text_without_secrets_is_the_same_object(secret: str, text: str) -> None:
    known = of(secret)
    if known.found_in(text.encode()):
        return

    assert known.mask(text) is text
    whole = {"a": [text, 1, 2.5, None, True, b"x", Record(text=text)]}
    assert known.mask_any(whole) is whole


def test_the_longest_form_wins_and_none_shines_through_another() -> None:
    known = of("abcdef", "defghi", "abcdefgh")

    assert known.mask("xabcdefghix") == "x***x"
    assert known.mask("abcdef-abcdefgh") == "***-***"


def test_secrets_that_touch_become_one_mask() -> None:
    assert of("aaaa").mask("aaaaaaaaaaaaab") == "***b"


def test_a_secret_that_a_mask_completes_is_masked_too() -> None:
    known = of("abcd", "x***y")

    assert known.mask("xabcdy") == "***"
    assert known.mask("x***y") == "***"


def test_a_text_that_masks_keep_completing_is_given_up_whole() -> None:
    known = of("***a", "****")

    once = known.mask("****" + "a" * 50)

    assert once == known.mask(once) == "***"
    assert of("***a").mask_bytes(b"***a" + b"a" * 50) == b"***"


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER "])
def test_the_credentials_of_a_header_are_secret_without_their_scheme(scheme: str) -> None:
    assert of(f"{scheme} abcd-1234").mask("got abcd-1234") == "got ***"


def test_user_and_password_of_a_basic_header_are_secret_too() -> None:
    known = of("Basic " + base64.b64encode(b"me:pass-word").decode())

    assert known.mask("me:pass-word pass-word") == "*** ***"
    assert of("Basic not-base64-at-all").mask("not-base64-at-all") == "***"


def test_each_long_line_of_a_value_is_secret() -> None:
    known = of("-----BEGIN KEY-----\nMIIEowIBAAKC\r\nshort\nlast-line-here")

    assert known.mask("MIIEowIBAAKC last-line-here short") == "*** *** short"


def test_blanks_around_a_value_are_no_part_of_it() -> None:
    assert of(" abcd\n").mask("abcd") == "***"


@pytest.mark.parametrize("value", ["", "abc", "true", "False", "NULL", "null", "1", "12345"])
def test_what_would_tear_reports_apart_is_not_masked(value: str) -> None:
    known = of(value)

    assert known.mask(f"<{value}>") == f"<{value}>"
    assert not known


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("abc", "it has under 4 characters"),
        ("True", "it is a common word"),
        ("12345", "it is a number of under 6 digits"),
    ],
)
def test_a_value_that_is_not_masked_is_told_with_its_name_once(value: str, why: str) -> None:
    known = Secrets.of({"PIN": value, "SAME": value, "EMPTY": ""})

    assert known.warnings == (f"the value of PIN is not masked: {why}, so it may stand anywhere",)


def test_numbers_of_six_digits_are_masked_as_text_and_as_number() -> None:
    known = of("123456", "-1.5e300", "1234.5")

    value = {"a": 123456, "b": [1234.5, 12345, 1234567, True], "c": "n=123456", "d": 10**9000}

    assert known.mask_any(value) == {
        "a": "***",
        "b": ["***", 12345, 1234567, True],
        "c": "n=***",
        "d": 10**9000,
    }


def test_types_stay_what_they_are() -> None:
    known = of("secret-word")
    value = {
        "list": ["secret-word"],
        "tuple": ("secret-word",),
        "pair": Pair("secret-word", 1),
        "set": {"secret-word"},
        "frozen": frozenset({"secret-word"}),
        "record": Record(text="secret-word", inner=[Record(text="x")]),
        "proxy": MappingProxyType({"secret-word": 1}),
        "path": Path("/a/secret-word/b"),
        "bytes": b"secret-word",
        "enum": Word.SAME,
        "class": Record,
        "other": 1j,
    }

    masked = known.mask_any(value)

    assert masked == {
        "list": ["***"],
        "tuple": ("***",),
        "pair": Pair("***", 1),
        "set": {"***"},
        "frozen": frozenset({"***"}),
        "record": Record(text="***", inner=[Record(text="x")]),
        "proxy": MappingProxyType({"***": 1}),
        "path": Path("/a/***/b"),
        "bytes": b"***",
        "enum": Word.SAME,
        "class": Record,
        "other": 1j,
    }
    assert {key: type(part) for key, part in masked.items()} == {
        key: type(part) for key, part in value.items()
    }


def test_keys_that_look_alike_once_masked_are_all_kept() -> None:
    known = of("first-secret", "other-secret")

    masked = known.mask_any({"first-secret": 1, "other-secret": 2, "plain": 3})

    assert masked == {"***": 1, "*** (2)": 2, "plain": 3}


def test_what_is_nested_without_end_is_masked_too() -> None:
    known = of("secret-word")
    value: Any = "secret-word"
    for _ in range(100_000):
        value = [value]

    masked = known.mask_any(value)

    for _ in range(100_000):
        masked = masked[0]
    assert masked == "***"


def test_a_secret_is_found_in_bytes_in_any_form() -> None:
    known = of(SECRET)

    for form in forms(SECRET).values():
        assert known.found_in(b"\xff" + form.encode() + b"\xff")
    assert not known.found_in(b"nothing here")


def test_bytes_without_secrets_are_the_same_object() -> None:
    data = b"nothing here \xff"

    assert of("abcdef").mask_bytes(data) is data
    assert of("abcdef").mask_bytes(b"\xffabcdef\xff") == b"\xff***\xff"


def test_later_secrets_are_added_to_the_earlier_ones() -> None:
    known = Secrets.of({"A": "first-secret"}).plus({"B": "later-secret"})

    assert known.mask("first-secret later-secret") == "*** ***"


def test_the_secrets_do_not_show_themselves() -> None:
    known = of("secret-word")

    assert "secret-word" not in repr(known)
    assert "secret-word" not in str(known)


def test_without_secrets_nothing_is_done() -> None:
    value = {"a": ["b"]}

    assert Secrets.of({}).mask_any(value) is value
    assert Secrets.of({}).mask("a") == "a"


def test_lone_surrogates_are_no_hindrance() -> None:
    known = of("abc\udc80\udc81def")

    assert known.mask("<abc\udc80\udc81def> \ud800") == "<***> \ud800"


def test_a_large_text_with_many_secrets_is_masked_in_one_go() -> None:
    known = of(*(f"secret-number-{index:04}" for index in range(50)))
    text = "x" * 1_000_000 + "secret-number-0007" + "y" * 1_000_000

    assert len(known.mask(text)) == 2_000_003


@pytest.mark.parametrize("length", [40, 100, 163])
def test_no_piece_of_a_secret_is_left_where_a_text_was_shortened(length: int) -> None:
    """A message that quotes a server is shortened before the report is masked."""
    secret = "Sekr3t/val+ue=quoted-0815"

    for before in range(160):
        cut = shorten(f"{'.' * before}{secret}{'.' * 140}", length)
        masked = of(secret).mask(f"'{cut}' is not what was expected")

        assert not any(secret[at : at + 4] in masked for at in range(len(secret) - 3)), masked


@pytest.mark.parametrize(
    "text",
    ["… Sekr3t-0", "'Sekr3t-0815' was cut", "the last words: Sekr3t-0815", "0815-tail rest of it"],
)
def test_a_piece_at_the_end_of_a_text_or_in_quotes_is_masked(text: str) -> None:
    masked = of("Sekr3t-0815-tail").mask(f"{text}…" if text.startswith("…") else text)

    assert "***" in masked
    assert "Sekr" not in masked
    assert "0815" not in masked


def test_a_word_that_only_begins_like_a_secret_is_kept() -> None:
    text = "Sekr3t is a word, and 'tail' another; a tail"

    assert of("Sekr3t-0815-tail").mask(text) is text


def test_a_text_full_of_beginnings_is_masked_in_linear_time() -> None:
    text = "Sekr" * 250_000

    assert of("Sekr3t-0815-tail").mask(text) is text
