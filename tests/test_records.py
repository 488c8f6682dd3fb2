"""A record behaves as the frozen dataclass with slots that it stands for."""

import copy
import math
import pickle
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import pytest

from toolproof.records import record


@record
class Point:
    x: int
    y: Any = 0
    note: str = field(default="", compare=False, repr=False)

    @property
    def double(self) -> int:
        return 2 * self.x


@record
class Empty:
    pass


@record
class Marked(Point):
    mark: str = "m"


@record(kw_only=True)
class Named:
    name: str

    def __hash__(self) -> int:
        return 7


@dataclass(frozen=True, slots=True)
class Model:
    x: int
    y: Any = 0
    note: str = field(default="", compare=False, repr=False)


@pytest.mark.parametrize("y", [0, "a", None, [1], math.nan])
def test_it_equals_and_shows_itself_as_a_dataclass_does(y: Any) -> None:
    same, other = Point(1, y, note="a"), Point(2, y)

    assert same == Point(1, y, note="b")
    assert same != other
    assert same.__eq__(Model(1, y)) is NotImplemented
    assert repr(same) == repr(Model(1, y)).replace("Model", "Point")
    assert asdict(same) == asdict(Model(1, y, note="a"))
    assert replace(same, x=5).double == 10


def test_it_can_be_a_key() -> None:
    assert len({Point(1), Point(1, note="n"), Point(2), Empty(), Empty()}) == 3
    with pytest.raises(TypeError):
        hash(Point(1, []))


def test_a_method_of_its_own_wins() -> None:
    assert hash(Named(name="n")) == 7
    with pytest.raises(TypeError):
        Named("n")  # type: ignore[call-arg]


def test_a_record_of_a_record_has_the_fields_of_both() -> None:
    assert Marked(1) != Point(1)
    assert Marked(1, mark="a") != Marked(1, mark="b")
    assert Marked(1) == Marked(1, 0)
    assert repr(Marked(1)) == "Marked(x=1, y=0, mark='m')"


def test_it_has_slots_and_can_be_copied_matched_and_pickled() -> None:
    one = Point(1, [2])

    assert not hasattr(one, "__dict__")
    assert copy.deepcopy(one) == one
    assert pickle.loads(pickle.dumps(one)) == one
    match one:
        case Point(x, y):
            assert (x, y) == (1, [2])
