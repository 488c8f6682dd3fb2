"""`tests`: calls, and what they must give."""

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field

from toolproof.config.matchers import Matcher
from toolproof.config.mistakes import Mistake
from toolproof.config.strict import Strict
from toolproof.config.value import choice
from toolproof.config.values import (
    Filled,
    Flag,
    Json,
    JsonObject,
    JsonPath,
    Milliseconds,
    OneOrMorePatterns,
    OneOrMoreWords,
    Schema,
    Text,
    Words,
    whole,
)
from toolproof.text import shorten

CONTENT_TYPES = ("text", "image", "audio", "resource", "resource_link")
"""The kinds of content blocks that MCP knows."""

CALLED = ("tool", "resource", "prompt")
"""The keys that say what is called; just one of them is given."""


class ContentMatcher(Strict):
    """What one content block must be like.

    Attributes:
        type: Its kind.
        mime_type: Its media type.
        text: Its text, whole.
        uri: The address of the resource that it links to.
        name: The name of the resource that it links to.
    """

    type: Annotated[str, choice(*CONTENT_TYPES)] | None = None
    mime_type: Filled | None = None
    text: Text | None = None
    uri: Filled | None = None
    name: Filled | None = None


class Snapshot(Strict):
    """The first run records the result, later ones compare with it.

    Attributes:
        ignore: What may differ from run to run.
    """

    SHORT_FORM: ClassVar[Mapping[str, Any] | None] = {"type": "boolean"}

    ignore: tuple[JsonPath, ...] = ()

    @classmethod
    def long_form(cls, given: Any) -> Any:
        return {} if given is True else given


def _off(given: Any) -> Any:
    return None if given is False else given


class Expect(Strict):
    """What a call must give; what is not said is not checked.

    Unless `is_error` or `error_code` says otherwise, the call must succeed, and what it gives
    must fit the tool's outputSchema.

    Attributes:
        is_error: Whether the call must give an error.
        error_code: The code of the JSON-RPC error that it must give.
        equals: The data itself.
        contains: Text that must stand in the result.
        not_contains: Text that must not stand in it.
        regex: Patterns that must be found in its text.
        jsonpath: What parts of the data must be like.
        schema: A JSON Schema that the data must fit.
        snapshot: Whether to compare with the result of the first run.
        content: Blocks that the content must have.
        max_latency_ms: The longest time, in milliseconds.
        max_tokens: The largest size of the result, in tokens.
        output_schema: Whether the data must fit the tool's outputSchema.
    """

    is_error: Flag | None = None
    error_code: Annotated[int, whole()] | None = None
    equals: Json = None
    contains: OneOrMoreWords | None = None
    not_contains: OneOrMoreWords | None = None
    regex: OneOrMorePatterns | None = None
    jsonpath: dict[JsonPath, Matcher] | None = None
    json_schema: Schema | None = Field(default=None, alias="schema")
    snapshot: Annotated[Snapshot | None, BeforeValidator(_off)] = None
    content: tuple[ContentMatcher, ...] | None = None
    max_latency_ms: Milliseconds | None = None
    max_tokens: Annotated[int, whole("tokens", least=1)] | None = None
    output_schema: Flag = True

    def given(self) -> dict[str, Any]:
        """What the file says, by key, in plain values: also what it says with null."""
        return self.model_dump(by_alias=True, exclude_unset=True)

    @property
    def wants_error(self) -> bool:
        """Whether the call must fail."""
        return bool(self.is_error) or self.error_code is not None

    @classmethod
    def together(cls, given: Mapping[str, Any]) -> Iterator[Mistake]:
        if given.get("is_error") is False and given.get("error_code") is not None:
            yield Mistake(("error_code",), "with 'is_error: false' there is no error")


class Step(Strict):
    """One call.

    Attributes:
        name: What reports call it.
        tool: The tool to call.
        resource: The URI of a resource to read, in place of a tool.
        prompt: The name of a prompt to get, in place of a tool.
        args: The arguments.
        timeout_ms: For how many milliseconds it may be silent; null: as for the whole file.
        save: What later calls can write as `${name}`: the JSONPath of a part of the data.
        expect: What it must give.
    """

    name: Filled = ""
    tool: Filled | None = None
    resource: Filled | None = None
    prompt: Filled | None = None
    args: JsonObject = Field(default_factory=dict)
    timeout_ms: Milliseconds | None = None
    save: dict[Filled, JsonPath] = Field(default_factory=dict)
    expect: Expect = Field(default_factory=Expect)

    @classmethod
    def long_form(cls, given: Any) -> Any:
        if isinstance(given, Mapping) and given.get("name") is None:
            return {**given, "name": _name_of(given)}
        return given

    @classmethod
    def together(cls, given: Mapping[str, Any]) -> Iterator[Mistake]:
        called = [key for key in CALLED if given.get(key) is not None]
        if not called:
            yield Mistake((), "it needs a 'tool' to call (or a 'resource' or 'prompt')")
        for key in called[1:]:
            yield Mistake((key,), f"it calls {called[0]!r} already; make it a test of its own")
        if called == ["resource"] and given.get("args"):
            yield Mistake(("args",), "a resource is read without arguments")


class ToolTest(Step):
    """One test: a call, or several steps on one connection.

    Attributes:
        retries: How often it is tried again before it has failed; null: as for the whole file.
        tags: For `--tag`.
        each: One test for each of these; they are written `${each.NAME}`.
        steps: Calls that run in order, in place of one; the first that fails ends the test.
    """

    retries: Annotated[int, whole(least=0)] | None = None
    tags: tuple[Words, ...] = ()
    each: tuple[JsonObject, ...] | None = None
    steps: tuple[Step, ...] | None = None

    @classmethod
    def together(cls, given: Mapping[str, Any]) -> Iterator[Mistake]:
        if given.get("steps") is None:
            yield from super().together(given)
            return
        for key in (*CALLED, "args", "expect", "save"):
            if given.get(key) is not None:
                yield Mistake((key,), "with 'steps' it belongs into one of them")
        if not given["steps"]:
            yield Mistake(("steps",), "there is none")


def _name_of(given: Mapping[str, Any]) -> str:
    """A name for a test that has none: what it calls, and short arguments."""
    steps = given.get("steps")
    if isinstance(steps, list | tuple):
        called = [_name_of(step) for step in steps if isinstance(step, Mapping)]
        return shorten(", then ".join(called), 100) or "steps"
    what = next((str(given[key]) for key in CALLED if given.get(key) is not None), "call")
    args = given.get("args")
    if not isinstance(args, Mapping):
        return what
    written = " ".join(f"{name}={_short(value)}" for name, value in list(args.items())[:10])
    return shorten(f"{what} {written}".rstrip(), 100)


def _short(value: Any) -> str:
    match value:
        case str():
            return shorten(str(value), 40)
        case Mapping():
            return "{…}" if value else "{}"
        case list() | tuple():
            return "[…]" if value else "[]"
        case _:
            return shorten(json.dumps(value, default=str), 40)
