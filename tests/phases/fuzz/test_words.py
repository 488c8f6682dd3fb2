import pytest

from toolproof.phases.fuzz.words import is_internal, is_masked, is_of_the_application, is_refusal


@pytest.mark.parametrize(
    "text",
    [
        "spec not found: 1",
        "resource not found: task with ID 1",
        "invalid input: task ID is required",
        "Access denied - path outside allowed directories",
        "internal error: query error: SQL logic error: incomplete input (1)",
        "ENOENT: no such file or directory",
        "user already exists",
    ],
)
def test_what_tells_the_caller_something_is_of_the_application(text: str) -> None:
    assert is_of_the_application(text)


@pytest.mark.parametrize("text", ["Internal server error", "boom", "unexpected error", "panic", ""])
def test_what_tells_nothing_is_not(text: str) -> None:
    assert not is_of_the_application(text)


@pytest.mark.parametrize(
    "text",
    [
        "Internal error",
        "Internal tool error",
        "An unexpected error occurred",
        "Something went wrong",
        "panic: nil",
    ],
)
def test_a_fault_inside_is_admitted(text: str) -> None:
    assert is_internal(text)


def test_an_answer_of_the_application_admits_no_fault() -> None:
    assert not is_internal("task 7 is not there")


def test_a_list_of_issues_is_a_refusal() -> None:
    issues = '[\n {\n "expected": "object",\n "code": "invalid_type", "path": ["params"] } ]'

    assert is_refusal(issues)
    assert is_refusal("city must be a string")
    assert not is_refusal('[{"title": "a book"}]')


@pytest.mark.parametrize(
    "text",
    [
        "Error executing tool recommend",
        "Error calling tool 'x.y'",
        "Internal server error.",
        "An unexpected error occurred",
    ],
)
def test_a_framework_may_hide_what_was_raised(text: str) -> None:
    assert is_masked(text)


@pytest.mark.parametrize(
    "text", ["Error executing tool x: no such book", "nothing was found", "x" * 9_000]
)
def test_what_says_more_hides_nothing(text: str) -> None:
    assert not is_masked(text)
