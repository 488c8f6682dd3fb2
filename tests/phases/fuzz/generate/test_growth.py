"""Inputs that grow."""

from toolproof.phases.fuzz.generate import Plan, growths
from toolproof.report.fuzz import InputMode


def test_texts_and_lists_grow_where_nothing_limits_them() -> None:
    plan = Plan(
        {
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "short": {"type": "string", "maxLength": 100},
                "rows": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"x": {"type": "integer"}},
                        "required": ["x"],
                    },
                },
            },
            "required": ["text"],
        }
    )
    found = {growth.reason: growth for growth in growths(plan)}

    assert {"text=n letters", "text=n blanks", "rows=n items like the first"} <= set(found)
    assert not any("short" in reason for reason in found)
    for growth in found.values():
        sizes = [size for size, _ in growth.steps]
        assert sizes == sorted(sizes)
        assert len(sizes) >= 4
        assert all(plan.label(arguments) is InputMode.VALID for _, arguments in growth.steps)


def test_a_schema_that_nothing_fits_does_not_grow() -> None:
    assert not list(growths(Plan(False)))
