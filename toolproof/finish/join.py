"""The sections of one phase from several shards become the section of the whole."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolproof.finish.join_evals import joined_evals
from toolproof.finish.order import in_place
from toolproof.report import (
    WHOLE_SERVER,
    BenchSection,
    CheckSection,
    EvalSection,
    FuzzFinding,
    FuzzSection,
    Problem,
    ProtocolSection,
    Section,
    ToolTestSection,
)


def joined(sections: Sequence[Section], tools: Sequence[str]) -> Section:
    """One section out of those of a phase, in the order of the shards.

    Args:
        sections: At least one; all of the same phase.
        tools: Every tool of the server, in its order.
    """
    first = sections[0]
    if len(sections) == 1 and not getattr(first, "whole", ()):
        return first
    return _JOINS[type(first)](sections, tools)


def _probes(sections: Sequence[ProtocolSection], _tools: Sequence[str]) -> ProtocolSection:
    probes = tuple(probe for section in sections for probe in section.probes)
    return replace(sections[0], probes=probes, whole=(), duration_s=_time(sections))


def _tests(sections: Sequence[ToolTestSection], _tools: Sequence[str]) -> ToolTestSection:
    results = in_place(_all(sections), _whole(sections), lambda test: str(test.name))
    return replace(sections[0], results=results, whole=(), duration_s=_time(sections))


def _evals(sections: Sequence[EvalSection], _tools: Sequence[str]) -> EvalSection:
    return joined_evals(sections, _time(sections))


def _bench(sections: Sequence[BenchSection], _tools: Sequence[str]) -> BenchSection:
    base = next((section for section in sections if section.results), sections[0])
    return replace(base, results=_all(sections), whole=(), duration_s=_time(sections))


def _fuzz(sections: Sequence[FuzzSection], tools: Sequence[str]) -> FuzzSection:
    """The tools in their order; a fault of several tools is told once, by the first."""
    results = in_place(_all(sections), tools, lambda tool: str(tool.tool))
    first: dict[str, tuple[int, int]] = {}
    also: dict[str, list[str]] = {}
    kept: list[list[FuzzFinding]] = [[] for _ in results]
    for index, result in enumerate(results):
        for finding in result.findings:
            mark = finding.fingerprint
            if mark and mark in first and first[mark][0] != index:
                also[mark] += [result.tool, *finding.also]
                continue
            first.setdefault(mark, (index, len(kept[index])))
            also.setdefault(mark, list(finding.also))
            kept[index].append(finding)
    for mark, (index, at) in first.items():
        if mark:
            names = tuple(dict.fromkeys(also[mark]))
            kept[index][at] = replace(kept[index][at], also=names)
    folded = tuple(
        replace(result, findings=tuple(findings))
        for result, findings in zip(results, kept, strict=True)
    )
    return replace(sections[0], results=folded, whole=(), duration_s=_time(sections))


def _checks(sections: Sequence[CheckSection], _tools: Sequence[str]) -> CheckSection:
    tools = _whole(sections) or tuple(
        dict.fromkeys(tool for section in sections for tool in section.tools)
    )
    unique: dict[str, Problem] = {}
    for section in sections:
        for problem in section.problems:
            unique.setdefault(problem.fingerprint or repr(problem), problem)
    problems = list(unique.values())
    ranks: dict[str, int] = {}
    for label in (*tools, *(problem.tool for problem in problems)):
        if label != WHOLE_SERVER:
            ranks.setdefault(label, len(ranks))
    problems.sort(key=lambda one: (ranks.get(one.tool, len(ranks)), one.severity.rank, one.rule))
    cards = {card.id: card for section in sections for card in section.rules}
    return replace(
        sections[0],
        tools=tools,
        problems=tuple(problems),
        rules=tuple(card for _, card in sorted(cards.items())),
        places=tuple({name: place for one in sections for name, place in one.places}.items()),
        asked=any(section.asked for section in sections),
        whole=(),
        duration_s=_time(sections),
    )


def _whole(sections: Sequence[Any]) -> tuple[str, ...]:
    return next((tuple(section.whole) for section in sections if section.whole), ())


def _all(sections: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(result for section in sections for result in section.results)


def _time(sections: Sequence[Section]) -> float:
    return sum(section.duration_s for section in sections)


_JOINS: Mapping[type, Callable[[Any, Sequence[str]], Section]] = {
    CheckSection: _checks,
    ProtocolSection: _probes,
    ToolTestSection: _tests,
    EvalSection: _evals,
    BenchSection: _bench,
    FuzzSection: _fuzz,
}
