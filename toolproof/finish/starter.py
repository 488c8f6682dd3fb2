"""The text of a first toolproof.yaml: tests of what was seen to work, and notes on the rest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolproof.finish.probing import Probed
from toolproof.finish.yaml_text import flow, in_quotes, scalar
from toolproof.report import Problem
from toolproof.report.values import plain
from toolproof.text import one_line, shorten

SCHEMA_URL = "https://raw.githubusercontent.com/toolproof/toolproof/main/docs/toolproof.schema.json"
REASON = "found by toolproof init"
_MOST_LEFT_OUT = 100
_MOST_ARGUMENTS = 4000
_WIDE = 90

_HEAD = """\
# yaml-language-server: $schema={schema}
# Tests of {name}, begun by `toolproof init`. Run them with `toolproof run`.
# Every key: https://github.com/toolproof/toolproof/blob/main/docs/config.md
"""
_CHECKS = """
checks:
  # What the static checks found at first. Mend it, and take its line out.
  ignore:
"""
_TESTS = """
# Calls that worked when this file was written. With no `expect` a call must succeed and fit the
# tool's outputSchema. Replace types by what you know of the answers: `equals`, `contains`, `regex`.
tests:
"""
_NO_TESTS = """
# No call of a tool was seen to work, so there is no test yet. This is what one looks like:
# tests:
#   - name: adds two numbers
#     tool: add
#     args: { a: 1, b: 2 }
#     expect: { contains: "3" }
"""
_LEFT_OUT = """
  # Not tested yet. Give arguments that work and take the # away, where a call does no harm.
"""
_MORE = """
# More to try; take the # away.
# bench: { thresholds: { p95_ms: 200 } }      # how fast the calls must be: toolproof bench
# fuzz: { max_examples: 50 }                  # what generated inputs bring to light: toolproof fuzz
# protocol: { enabled: true }                 # active probes of the protocol
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Starter:
    """What the file is made of.

    Attributes:
        name: What the server calls itself.
        server: The section `server`, as it shall stand there.
        probes: What was tried.
        ignored: Problems that the file lets pass.
    """

    name: str
    server: Mapping[str, Any]
    probes: Sequence[Probed]
    ignored: Sequence[Problem] = ()

    @property
    def tests(self) -> Sequence[Probed]:
        """What becomes a test."""
        return [one for one in self.probes if one.expect is not None]

    @property
    def left_out(self) -> Sequence[Probed]:
        """What does not."""
        return [one for one in self.probes if one.expect is None]

    def text(self) -> str:
        """The file."""
        name = shorten(one_line(self.name), 80)
        parts = [_HEAD.format(schema=SCHEMA_URL, name=name), "server:\n", *self._server()]
        if self.ignored:
            parts += [_CHECKS, *self._ignores()]
        parts.append(_TESTS if self.tests else _NO_TESTS)
        parts += [line for one in self.tests for line in _test(one)]
        if self.left_out and self.tests:
            parts.append(_LEFT_OUT)
        parts += [line for one in self.left_out[:_MOST_LEFT_OUT] for line in _unfinished(one)]
        parts.append(_MORE)
        return "".join(parts)

    def _server(self) -> Iterator[str]:
        for key, value in self.server.items():
            yield f"  {key}: {flow(value)}\n"

    def _ignores(self) -> Iterator[str]:
        told: set[tuple[str, str]] = set()
        for problem in self.ignored:
            tool = "".join(f"[{char}]" if char in "*?[" else char for char in problem.tool)
            tool = "*" if problem.tool == "*" else tool
            if (problem.rule, tool) not in told:
                told.add((problem.rule, tool))
                entry: dict[str, Any] = {"rule": problem.rule, "tool": tool, "reason": REASON}
                if tool == "*":
                    del entry["tool"]
                yield f"    - {flow(entry)}\n"


def name_of(probe: Probed) -> str:
    """The name of the test."""
    verb = {"resource": "can be read", "prompt": "can be got"}.get(probe.what, "answers")
    return f"{shorten(one_line(probe.name), 200)} {verb}"


def _test(probe: Probed) -> Iterator[str]:
    yield f"  - name: {scalar(name_of(probe))}\n"
    yield f"    {probe.what}: {scalar(probe.name)}\n"
    if probe.arguments:
        yield f"    args: {flow(plain(dict(probe.arguments))[0])}\n"
    for key, value in (probe.expect or {}).items():
        yield "    expect:\n"
        if key != "jsonpath":
            said = f"{in_quotes(value)}      # some text" if key == "regex" else flow(value)
            yield f"      {key}: {said}\n"
            continue
        yield "      jsonpath:\n"
        for path, wanted in value.items():
            yield f"        {in_quotes(path)}: {flow(wanted)}\n"


def _unfinished(probe: Probed) -> Iterator[str]:
    """A test as a comment, with why it is one."""
    yield f"  # - name: {scalar(name_of(probe))}\n"
    yield f"  #   {probe.what}: {scalar(probe.name)}\n"
    if probe.what == "tool":
        arguments = flow(plain(dict(probe.arguments))[0]) if probe.arguments else "{}"
        yield f"  #   args: {arguments if len(arguments) <= _WIDE * 2 else '{}'}\n"
    yield f"  #   # {one_line(probe.why_not)}\n"
