import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.finish.source_files import SUFFIXES, may_define_tools
from toolproof.finish.source_text import SourceText

HARD = [
    '"',
    "'",
    "`",
    '"""',
    "'''",
    "#",
    "//",
    "/*",
    "*/",
    "${",
    "}",
    "{",
    "\\",
    "\n",
    "r#",
    "=begin\n",
]
HARD += ["<<~X\n", "<<<E\n", "__END__\n", "@", "$", "f", "(", ")", "[", "]", "a", "/", "=", " "]
sources = st.lists(st.sampled_from(HARD) | st.text(max_size=4)).map("".join)


@given(sources, st.sampled_from(sorted(SUFFIXES)))
def test_code_is_as_long_as_the_text_line_for_line(text: str, suffix: str) -> None:
    source = SourceText(text, suffix)

    assert len(source.code) == len(text)
    assert [at for at, char in enumerate(source.code) if char == "\n"] == [
        at for at, char in enumerate(text) if char == "\n"
    ]


@given(sources, st.sampled_from(sorted(SUFFIXES)), st.data())
def test_any_text_can_be_asked_about(text: str, suffix: str, data: st.DataObject) -> None:
    source = SourceText(text, suffix)
    offset = data.draw(st.integers(0, len(text)))

    assert 1 <= source.line_of(offset) <= text.count("\n") + 1
    assert source.lines(1, 10**6) == text
    opening = source.opening_before(offset)
    if opening is not None:
        assert opening < offset
        list(source.outermost(opening, len(text)))
    for index in source.literals_in(0, len(text)):
        joined, _ = source.joined(index)
        assert isinstance(joined, str)


@pytest.mark.parametrize(
    ("suffix", "text", "literals"),
    [
        (
            ".py",
            "'a' # 'b'\nf('c' 'd', f'e{x}')",
            [("a", True), ("cd", True), ("d", True), ("e{x}", False)],
        ),
        (".py", '"""a "b" c""" + x', [('a "b" c', False)]),
        (".py", "x = 'a'\n'b'", [("a", True), ("b", True)]),
        (".ts", "`a${`b${c}`}d` + `e`; // 'f'", [("e", True)]),
        (".ts", "x = /['\"`]/; y = 'a'", [("a", True)]),
        (".ts", "f('a' + 'b' + c)", [("ab", False), ("b", False)]),
        (".ts", "f('a', `b", [("a", True)]),
        (".ts", "`", []),
        (".tsx", "<p>Don't say\n{'a'}</p>", [("a", True)]),
        (".go", '`a " b`; "c"; \'"\'', [('a " b', True), ("c", True)]),
        (".rs", 'r#"a " b"#; f::<\'x>(\'"\', "c")', [('a " b', True), ("c", True)]),
        (".cs", '@"a "" b"; $"c{d}"; "e"', [('a "" b', True), ("c{d}", False), ("e", True)]),
        (".java", '"""a "b" c""" ; \'"\'; /* "d" */', [('a "b" c', True)]),
        (".kt", '"a $b" + "${c}" ; "d"', [("a $b${c}", False), ("${c}", False), ("d", True)]),
        (".swift", '#"a"#; "b \\(c)"', [("a", True), ("b \\(c)", False)]),
        (".rb", "=begin\n'a'\n=end\n'b' # 'c'\n\"#{d}\"", [("b", True), ("#{d}", False)]),
        (".rb", "x = <<~E\n 'a'\n E\n'b'", [("b", True)]),
        (".php", "#[A('a')] # 'b'\n$x = <<<'E'\n 'c'\n E;\n'd'", [("a", True), ("d", True)]),
    ],
)
def test_literals_are_told_from_comments_and_other_quotes(
    suffix: str, text: str, literals: list[tuple[str, bool]]
) -> None:
    source = SourceText(text, suffix)

    assert [source.joined(index) for index in range(len(source.literals))] == literals


@pytest.mark.parametrize("suffix", [".py", ".ts", ".go", ".rs", ".cs", ".rb", ".php"])
@pytest.mark.parametrize(
    "part", ["\\'", '"', "'", "`${", "/*", "{", "(", "r#", '"""', "<<~E\n", "=begin\n"]
)
def test_a_large_file_takes_no_more_than_its_size(suffix: str, part: str) -> None:
    """Ours: a file of a pull request is hostile, too. Quadratic, this would take minutes."""
    source = SourceText(part * (50_000 // len(part)), suffix)

    assert source.opening_before(len(source.text)) in (None, len(source.text) - 1) or part == "`${"


@pytest.mark.parametrize(
    "path",
    ["server.py", "src/tools/weather.ts", "latest/contest/server.go", "src/testing_tools.py"],
)
def test_source_code_is_searched(path: str) -> None:
    assert may_define_tools(path)


@pytest.mark.parametrize(
    "path",
    [
        *("tests/server.py", "src/__tests__/server.ts", "src/test/java/A.java", "testdata/a.go"),
        *("node_modules/a/index.js", "Docs/a.py", "src/__snapshots__/a.ts", "conftest.py"),
        *("src/test_server.py", "server_test.go", "server.test.ts", "server.spec.js"),
        *("app.min.js", "types.d.ts", "WeatherTest.java", "README.md", "Makefile"),
    ],
)
def test_tests_copies_and_examples_are_left_out(path: str) -> None:
    assert not may_define_tools(path)
