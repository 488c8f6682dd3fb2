import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.judgement.traces import stack_trace, unhandled_exception

PYTHON = """\
Traceback (most recent call last):
  File "/app/server.py", line 3, in call
    return run(arguments)
  File "/app/tools.py", line 9, in run
    raise ValueError("bad")
ValueError: bad
"""
JAVASCRIPT = """\
TypeError: x is not a function
    at Object.run (/srv/app/dist/tools/echo.js:41:17)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)"""
JAVA = """\
java.lang.NullPointerException: no city
\tat com.acme.Weather.get(Weather.java:12)
\tat java.base/java.lang.Thread.run(Thread.java:833)"""
GO = """\
panic: runtime error: index out of range [3] with length 2

goroutine 1 [running]:
main.main()
\t/src/weather/main.go:8 +0x1d
exit status 2"""
DOTNET = """\
System.NullReferenceException: Object reference not set to an instance of an object.
   at Acme.Tools.Weather.Run(String city) in /src/Weather.cs:line 12
   at System.Threading.Tasks.Task.Execute()"""
RUBY = """\
app.rb:3:in `weather': undefined method `upcase' for nil:NilClass (NoMethodError)
\tfrom app.rb:7:in `<main>'"""
PHP = """\
PHP Fatal error:  Uncaught TypeError: weather() in /app/weather.php:3
Stack trace:
#0 /app/weather.php(8): weather()
#1 {main}
  thrown in /app/weather.php on line 3"""
RUST = """\
thread 'main' panicked at src/main.rs:2:5:
no city
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"""

TRACES = {
    "Python": (PYTHON, 'File "/app/tools.py", line 9, in run', "ValueError: bad"),
    "JavaScript": (
        JAVASCRIPT,
        "at Object.run (/srv/app/dist/tools/echo.js:41:17)",
        "TypeError: x is not a function",
    ),
    "Java": (
        JAVA,
        "at com.acme.Weather.get(Weather.java:12)",
        "java.lang.NullPointerException: no city",
    ),
    "Go": (
        GO,
        "/src/weather/main.go:8 +0x1d",
        "panic: runtime error: index out of range [3] with length 2",
    ),
    ".NET": (
        DOTNET,
        "at Acme.Tools.Weather.Run(String city) in /src/Weather.cs:line 12",
        "System.NullReferenceException: Object reference not set to an instance of an object.",
    ),
    "Ruby": (RUBY, "app.rb:3:in `weather'", ""),
    "PHP": (PHP, "#0 /app/weather.php(8): weather()", ""),
    "Rust": (RUST, "thread 'main' panicked at src/main.rs:2:5:", ""),
}

every_language = pytest.mark.parametrize("language", TRACES)


@every_language
@pytest.mark.parametrize("before", ["", "Internal error\n", "The call failed:\n\n"])
def test_each_language_is_known_by_its_innermost_frame(language: str, before: str) -> None:
    text, frame, cause = TRACES[language]

    found = stack_trace(before + text)

    assert found is not None
    assert (found.language, found.frame, found.cause) == (language, frame, cause)


@every_language
def test_a_trace_inside_of_json_is_found(language: str) -> None:
    """Ours: many servers put the text of an exception into a JSON object."""
    text, frame, _ = TRACES[language]
    escaped = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    )

    found = stack_trace('{"error": "' + escaped + '"}')

    assert found is not None
    assert found.frame.startswith(frame[:12])


@every_language
def test_an_echo_of_the_input_is_no_trace_of_the_server(language: str) -> None:
    text, _, _ = TRACES[language]

    assert stack_trace(f"there is no city {text}", without=["x", text]) is None


@every_language
def test_a_page_that_shows_a_trace_is_none_where_it_must_stand_alone(language: str) -> None:
    """Ours: a README or a log that was asked for is a good result."""
    text, _, _ = TRACES[language]
    page = "# Known faults\n\n" + "When the city is missing, the old version said this. " * 20

    assert stack_trace(f"{page}\n```\n{text}\n```\n", alone=True) is None
    assert stack_trace(f"Fault:\n```\n{text}\n```\n", alone=True) is None
    assert stack_trace(text, alone=True) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Meet at 10:30:45 in Java.\n   at noon (see weather.js)\n",
        "at weather.js:3:4 the city is read",
        'File "x.py", line 3 is wrong',
        "call at foo(bar)\n   at home.office(now)\n",
        "A header says goroutine 1 [running]: and no more",
        "weather.rb:3 is the line to look at",
        "Traceback (most recent call last) is how Python begins",
        "#1 in our list (of 3): Oslo",
        "the thread 'weather' panicked over the storm",
        "1. at the station\n2. at the airport\n",
    ],
)
def test_prose_is_no_trace(text: str) -> None:
    assert stack_trace(text) is None


def test_frames_far_from_each_other_are_no_trace() -> None:
    frame = '  File "/app/server.py", line 3, in call\n'

    assert stack_trace(frame + "word " * 1_000 + "\n" + frame) is None
    assert stack_trace(frame + "word " * 1_000 + "\n" + frame + frame) is not None


@pytest.mark.parametrize(
    "text",
    [
        "'NoneType' object has no attribute 'get'",
        "Internal error: TypeError: Cannot read properties of undefined (reading 'city')",
        "list index out of range",
        "runtime error: invalid memory address or nil pointer dereference",
        "Object reference not set to an instance of an object",
        "undefined method `upcase' for nil",
        "Call to a member function name() on null",
        "called `Option::unwrap()` on a `None` value",
        "weather.get is not a function",
        "KeyError: 'city'",
    ],
)
def test_what_a_runtime_says_of_an_uncaught_exception_is_known(text: str) -> None:
    assert unhandled_exception(f"{text}\nsecond line") == text


def test_a_trace_is_an_uncaught_exception_told_by_its_cause() -> None:
    assert unhandled_exception("the call failed\n" + JAVA) == TRACES["Java"][2]
    assert unhandled_exception("the call failed\n" + RUBY.replace("undefined", "odd")) == (
        "app.rb:3:in `weather'"
    )


@pytest.mark.parametrize(
    "text", ["document not found", "city must be a string", "spec not found: 'TypeError'", ""]
)
def test_an_application_error_is_no_uncaught_exception(text: str) -> None:
    assert unhandled_exception(text) is None


@given(st.text(st.characters(exclude_categories=()), max_size=200), st.lists(st.text(), max_size=3))
def test_any_text_can_be_looked_at(text: str, without: list[str]) -> None:
    stack_trace(text, without=without)
    stack_trace(text, alone=True)
    unhandled_exception(text)


pieces = st.sampled_from(
    [
        "at ",
        "a.",
        ".js:1:2",
        ".js",
        "\n",
        "   ",
        "(",
        ")",
        'File "',
        '", line 1',
        ".java:1)",
        ".go:1",
        "goroutine 1 [x]:",
        "#0 ",
        ".php(1)",
        ".rb:1:in `",
        "'",
        "panicked at ",
        "thread '",
        "\\n",
    ]
)


@given(st.lists(pieces, max_size=60).map("".join))
def test_pieces_of_traces_never_break_it(text: str) -> None:
    found = stack_trace(text)

    assert found is None or found.frame
