"""Pointers into a definition that lead to something, for what is found elsewhere."""

from toolproof.report import Tool
from toolproof.schemas import steps_of, value_at


def pointer_in(tool: Tool | None, pointer: str) -> str | None:
    """The pointer, or the longest start of it that exists in the tool's definition; None for none."""
    if tool is None:
        return None
    steps = list(steps_of(pointer))
    while steps:
        try:
            value_at(tool.raw, steps)
        except LookupError:
            steps.pop()
            pointer = pointer.rpartition("/")[0]
        else:
            return pointer
    return None
