from hypothesis import given
from hypothesis import strategies as st

from toolproof.phases.tests.variables import names_in, substitute


def test_a_string_that_is_one_reference_becomes_the_value_with_its_type() -> None:
    assert substitute({"id": "${id}"}, {"id": 7}) == {"id": 7}


def test_inside_a_longer_string_the_value_is_text() -> None:
    values = {"id": 7, "tags": ["a"], "name": "x"}

    assert substitute("no ${id}, ${tags}, ${name}", values) == 'no 7, ["a"], x'


def test_keys_and_lists_are_replaced_too() -> None:
    assert substitute([{"${k}": "${k}"}], {"k": "v"}) == [{"v": "v"}]


def test_what_nobody_saved_stays_as_it_is() -> None:
    assert substitute("${a} ${b}", {"a": 1}) == "1 ${b}"
    assert substitute("${b}", {"a": 1}) == "${b}"


def test_every_reference_is_found() -> None:
    assert set(names_in({"${a}": ["x ${b.c}", {"d": "${e}"}], "f": 3})) == {"a", "b.c", "e"}


@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_without_values_nothing_changes(value: object) -> None:
    assert substitute(value, {}) is value
