"""Each function makes any text safe for its language, and keeps what is harmless."""

import html
import json
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports import hostile_texts, said
from tests.workflow_commands import WHITE_SPACE, LogReader, annotation_of, parse_command
from toolproof.reporters import escape
from toolproof.reporters.json_text import json_document

HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufdd0-\ufdef\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f\U0001fffe\U0010ffff]"
)
anything = said | st.text()


def seen_by_a_runner(output: str) -> LogReader:
    reader = LogReader("")
    reader.read(output)
    return reader


@given(anything)
def test_visible_text_hides_nothing_and_is_stable(text: str) -> None:
    shown = escape.visible(text)

    assert not HIDDEN.search(shown)
    assert escape.visible(shown) == shown
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢 😀\ttab\nline", "plain é 漢 😀\ttab\nline"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07x\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "xlink"),
        ("\x1b(Bx", "x"),
        ("\x1b\x1b[0m[31m", "\\u{1B}[31m"),
        ("\x1b]never ended", "\\u{1B}]never ended"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("\u202e\u2066\u200b\ufeff\U000e0041", "\\u{202E}\\u{2066}\\u{200B}\\u{FEFF}\\u{E0041}"),
        ("\x00\x85\ud800\uffff", "\\u{0}\\u{85}\\u{D800}\\u{FFFF}"),
    ],
)
def test_what_is_hidden_is_shown_or_gone(text: str, shown: str) -> None:
    assert escape.visible(text) == shown


@pytest.mark.parametrize(
    "piece", ["\x1b]", "\x9d", "\x1b[0", "\x9b0;", "\x1b ", "\x1b[", "##", "`"]
)
def test_no_text_makes_the_work_more_than_linear(piece: str) -> None:
    """Ours: 400 kB of it would take hours if each start were searched to the end."""
    escape.visible(piece * 100_000)
    escape.unmarked(piece * 100_000)
    escape.markdown_fence(piece * 100_000)


@given(anything)
def test_a_name_is_on_one_line(text: str) -> None:
    assert not re.search(r"[\r\n\t\v\f\x1c-\x1e\x85\u2028\u2029]", escape.one_line(text))


@given(anything)
def test_relayed_lines_hold_no_command(text: str) -> None:
    relayed = escape.log_lines(text)

    assert all(line.startswith("│ ") for line in relayed.split("\n"))
    assert not seen_by_a_runner(relayed).commands
    assert "##[" not in relayed
    assert "##vso[" not in relayed


@given(anything)
def test_a_line_of_ours_holds_no_command(text: str) -> None:
    assert parse_command(escape.log_line(escape.one_line(text))) is None


def test_a_harmless_line_is_left_alone() -> None:
    assert escape.log_line("server.py:4: ## a # b") == "server.py:4: ## a # b"


@given(anything, anything)
def test_a_command_gives_back_its_data_and_its_properties(message: str, title: str) -> None:
    message, title = escape.visible(message), escape.one_line(title)
    line = f"::warning title={escape.command_property(title)}::{escape.command_data(message)}"

    command = parse_command(line)

    assert command is not None
    annotation = annotation_of(command)
    assert annotation.message == message[:4096] or len(message) > 2048
    assert (annotation.title or "") == title.rstrip(WHITE_SPACE).lstrip(WHITE_SPACE + "=")


@given(anything)
def test_an_azure_command_ends_where_ours_ends(text: str) -> None:
    shown = escape.azure_data(escape.visible(text))

    assert not re.search(r"[;\]\r\n]", shown)
    for code, character in (("%3B", ";"), ("%5D", "]"), ("%0D", "\r"), ("%0A", "\n")):
        shown = shown.replace(code, character)
    assert "%3B" in text or "%AZP25" in text or "%" in text or shown == escape.visible(text)


@given(anything)
def test_xml_takes_any_text_and_gives_it_back(text: str) -> None:
    assert not re.search(
        "[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", escape.xml_text(text)
    )
    element = ET.Element("a", b=escape.xml_text(text))
    element.text = escape.xml_text(text)

    again = ET.fromstring(ET.tostring(element, encoding="unicode"))

    assert (again.text or "") == again.get("b") == escape.xml_text(text)


@given(anything)
def test_inline_code_is_all_references_and_letters(text: str) -> None:
    inner = escape.markdown_code(text).removeprefix("<code>").removesuffix("</code>")

    assert re.fullmatch(r"(?:&#\d+;|[A-Za-z0-9 ]|[^\x00-\x7f])*", inner)
    assert html.unescape(inner) == escape.one_line(text)


@pytest.mark.parametrize("name", ["weather", "my weather", "a-b"])
def test_a_name_of_words_is_bare(name: str) -> None:
    assert escape.markdown_name(name) == name


@pytest.mark.parametrize("name", ["", "GH-1", "a_b", "-a", "a  b", "@a", "# a", "é", "a\n"])
def test_any_other_name_is_code(name: str) -> None:
    assert escape.markdown_name(name).startswith("<code>")


@given(anything)
def test_nothing_ends_a_fence_early(text: str) -> None:
    first, *inner, last = escape.markdown_fence(text, "text").split("\n")

    assert first == f"{last}text"
    assert set(last) == {"`"}
    assert len(last) >= 3
    bare = [escape.log_line(line) for line in escape.visible(text).split("\n")]
    assert inner == bare
    assert last not in "\n".join(inner)


@given(anything)
def test_html_is_text_only(text: str) -> None:
    shown = escape.html_text(text)

    assert not re.search("[<>\"']", shown)
    assert html.unescape(shown) == escape.visible(text)


@given(anything)
def test_json_in_a_script_does_not_end_it(text: str) -> None:
    shown = escape.html_json(json_document([text]))

    assert "<" not in shown
    assert json.loads(shown) == json.loads(json.dumps([text]))


@given(anything)
def test_json_means_the_same_after_it_was_made_safe(text: str) -> None:
    document = json_document({"a": text})

    assert json.loads(document) == json.loads(json.dumps({"a": text}))
    assert not HIDDEN.search(document)
    assert not seen_by_a_runner(document).commands
    document.encode("utf-8")


@given(anything)
def test_a_file_name_is_one_safe_name(text: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}", escape.file_name(text))


@given(anything)
def test_an_identifier_has_no_dots(text: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]+", escape.identifier(text))


def test_ten_thousand_hostile_texts_hold_no_command() -> None:
    texts = hostile_texts(7, 10_000)

    relayed = seen_by_a_runner("\n".join(map(escape.log_lines, texts)))

    assert not relayed.commands
    assert not any(parse_command(escape.log_line(escape.one_line(text))) for text in texts)
