"""JSON: the full result, for programs."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from toolproof.report import Answer, AnyReport, CallResult, ServerInfo
from toolproof.report.document import inspect_document, run_document
from toolproof.report.records import dumper
from toolproof.report.values import plain
from toolproof.reporters.json_text import json_document, json_pieces

MOST_BYTES = 50 * 1000 * 1000
"""A longer file loses what is named in its `shortened`."""

_MOST_TEXT = 4096


def render(report: AnyReport, *, most_bytes: int = MOST_BYTES) -> str:
    """The document of a run or a collection."""
    return write(run_document(report), most_bytes=most_bytes)


def render_inspect(
    report: AnyReport, info: ServerInfo | None = None, *, most_bytes: int = MOST_BYTES
) -> str:
    """The document of `inspect`: also what the server lists, as it was sent."""
    return write(inspect_document(report, info), most_bytes=most_bytes)


def render_call(result: CallResult) -> str:
    """What one call gave: its attributes, and the result as the server sent it."""
    document = dict(dumper(CallResult)(result))
    raw = result.reply.raw if isinstance(result.reply, Answer) else None
    document["result"] = plain(raw)[0]
    return json_document(document)


def write(document: dict[str, Any], *, most_bytes: int = MOST_BYTES) -> str:
    """A document as text: strict UTF-8, two-space indent, keys in their order, no NaN.

    A text over `most_bytes` loses the least important first, and says so in `shortened`.
    """
    said: list[str] = []
    rungs = iter(_LADDER)
    while True:
        kept: list[str] = []
        size = 0
        for piece in json_pieces(document):
            kept.append(piece)
            size += _bytes(piece)
            if size > most_bytes and _lighter(document, rungs, said):
                break  # what is written so far is not true any more
        else:
            return "".join(kept)


_Rung = tuple[str, Callable[[dict[str, Any]], bool]]


def _lighter(document: dict[str, Any], rungs: Iterator[_Rung], said: list[str]) -> bool:
    """Whether there was something left to drop; the document says that it was."""
    for words, lighten in rungs:
        if lighten(document):
            said.append(words)
            for run in _runs(document):
                run["shortened"] = said
            return True
    return False


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _runs(document: dict[str, Any]) -> Sequence[dict[str, Any]]:
    runs: Sequence[dict[str, Any]] = document.get("reports", [document])
    return runs


def _findings(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for run in _runs(document):
        for tool in run["fuzz"]["tools"]:
            yield from tool["findings"]


def _drop_passing_inputs(document: dict[str, Any]) -> bool:
    done = False
    for run in _runs(document):
        for tool in run["fuzz"]["tools"]:
            done |= bool(tool.pop("inputs", None))
    return done


def _drop_stderr(document: dict[str, Any]) -> bool:
    done = False
    holders = [(run, "server_stderr") for run in _runs(document)]
    holders += [(test, "server_stderr") for run in _runs(document) for test in run["tests"]]
    holders += [(finding, "stderr") for finding in _findings(document)]
    for holder, key in holders:
        done |= bool(holder.get(key))
        holder[key] = ""
    return done


def _drop_passing_results(document: dict[str, Any]) -> bool:
    done = False
    for run in _runs(document):
        for test in run["tests"]:
            if test["passed"] and test["result"] is not None:
                test["result"] = None
                done = True
    return done


def _cut_texts(document: dict[str, Any]) -> bool:
    """Cut every long text of results, findings and definitions, wherever it stands."""
    done = False
    stack: list[Any] = list(_runs(document))
    while stack:
        holder = stack.pop()
        for key, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
            if isinstance(value, str) and len(value) > _MOST_TEXT:
                left_out = len(value) - _MOST_TEXT // 2
                half = _MOST_TEXT // 4
                holder[key] = f"{value[:half]}… {left_out} more characters …{value[-half:]}"
                done = True
            elif isinstance(value, dict | list):
                stack.append(value)
    return done


_LADDER: Sequence[_Rung] = (
    ("inputs that fuzzing passed are left out", _drop_passing_inputs),
    ("what servers wrote to stderr is left out", _drop_stderr),
    ("results of tests that passed are left out", _drop_passing_results),
    ("texts over 4 KB are cut", _cut_texts),
)
