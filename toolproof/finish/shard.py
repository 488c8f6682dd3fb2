"""One shard's part of the static checks: every shard judges all tools, and tells of its own."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from toolproof.report import (
    WHOLE_SERVER,
    CheckSection,
    FuzzSection,
    PhaseName,
    Section,
    ServerInfo,
)
from toolproof.report.shard import Shard, in_shard


def part_of(section: CheckSection, shard: Shard, shared: Collection[str]) -> CheckSection:
    """What this shard tells of the checks.

    Of what every shard finds, each tool's problems are told by the shard that the tool belongs to,
    and those of the whole server by the first. What only the calls of this shard show is told here,
    whatever it is about: no other shard saw it.

    Args:
        section: All that the rules found in this shard.
        shard: Which one it is.
        shared: The fingerprints of the problems that every shard finds.
    """
    own = [tool for tool in section.tools if in_shard(shard, PhaseName.CHECKS, tool)]
    problems = tuple(
        problem
        for problem in section.problems
        if problem.fingerprint not in shared or _is_told_by(shard, problem.tool)
    )
    told = {problem.rule for problem in problems}
    return replace(
        section,
        tools=tuple(own),
        whole=section.tools,
        problems=problems,
        rules=tuple(card for card in section.rules if card.id in told),
    )


def with_whole(sections: Sequence[Section], info: ServerInfo | None) -> list[Section]:
    """The sections, with every tool that some shard fuzzes in that of the fuzzer."""
    tools = tuple(tool.label for tool in info.tools) if info is not None else ()
    return [
        replace(section, whole=tools) if isinstance(section, FuzzSection) else section
        for section in sections
    ]


def _is_told_by(shard: Shard, tool: str) -> bool:
    if tool == WHOLE_SERVER:
        return shard[0] == 1
    return in_shard(shard, PhaseName.CHECKS, tool)
