"""What a rule is: a function over the evidence, with all that its page, its tests and SARIF need."""

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from toolproof.connection.observations import Kind, Observation, ObservationLog, Seen, observed
from toolproof.phases.checks.definitions import Definition, SchemaView
from toolproof.phases.checks.texts import Text, texts_of
from toolproof.records import record
from toolproof.report import WHOLE_SERVER, CallSeen, Check, RuleCard, Severity

__all__ = [
    "CallSeen",
    "Evidence",
    "Flaw",
    "Limits",
    "Profile",
    "Rule",
    "Text",
    "calling",
    "each_call",
    "each_schema",
    "each_seen",
    "each_text",
    "each_tool",
    "listing",
    "rule",
    "seeing",
]

PAGES = "https://github.com/toolproof/toolproof/blob/main/docs/rules"


class Profile(StrEnum):
    """What a client accepts (docs/rules/README.md)."""

    CLAUDE = "claude"
    OPENAI = "openai"
    GEMINI = "gemini"
    VSCODE = "vscode"
    CURSOR = "cursor"
    STRICT = "strict"


@record(kw_only=True)
class Limits:
    """What the config says that rules must know."""

    max_description_length: int = 1024
    max_tokens: int | None = None
    clients: frozenset[Profile] = frozenset()


@record
class Flaw:
    """What a rule found in one place.

    Attributes:
        message: One line, under 200 characters but for quoted facts, without raw control characters.
        pointer: A JSON pointer into the tool's definition, if it is about a part of it.
        tool: The tool's label; a rule over one tool at a time need not give it.
        subject: What it is about, where that is no tool: `resource doc://a`, `tools/list`. Two
            flaws of one rule on the server are two problems only if their subjects differ.
        severity: Where it is not the rule's own.
        check: The family, where the rule has two.
        error_for: The profiles that make it an error, where they are not the rule's own.
        fix: Where it is not the rule's own.
    """

    message: str
    pointer: str | None = None
    tool: str = WHOLE_SERVER
    severity: Severity | None = None
    check: Check | None = None
    error_for: frozenset[Profile] | None = None
    fix: str | None = None
    subject: str | None = None


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """All that rules judge: what the server lists, what the wire saw, and what calls gave.

    Attributes:
        entries: The raw entries of tools/list over all pages, of whatever type.
        revision: The one that was agreed on; rules judge by it.
        server_name: From serverInfo.
    """

    entries: Sequence[Any] = ()
    resources: Sequence[Any] = ()
    resource_templates: Sequence[Any] = ()
    prompts: Sequence[Any] = ()
    revision: str = "2025-11-25"
    transport: str = "stdio"
    server_name: str | None = None
    observations: ObservationLog = field(default_factory=ObservationLog)
    calls: Sequence[CallSeen] = ()
    limits: Limits = field(default_factory=Limits)

    @functools.cached_property
    def tools(self) -> Sequence[Definition]:
        """Each entry, parsed once for all rules; what is no object is a definition too."""
        return [Definition(raw, index, self.revision) for index, raw in enumerate(self.entries)]

    @functools.cached_property
    def texts(self) -> Sequence[tuple[Definition, Sequence[Text]]]:
        """Of each tool: every string that a model may read, collected once for all rules."""
        return [(tool, texts_of(tool.object)) for tool in self.tools]


Find = Callable[[Evidence], Iterator[Flaw]]


@record(kw_only=True)
class Rule:
    """One rule.

    Attributes:
        id: Kebab case, says what is wrong: reads well after "ignore". Never changes its meaning.
        check: The family; users may ignore all of it at once.
        title: What is wrong, as a sentence without a final period.
        why: Why it matters to someone whose agent uses the server.
        fix: What to do, as an imperative sentence.
        source: The section of the specification, or the reports, that the rule rests on.
        error_for: The client profiles that turn it into an error.
        bad: Breaks this rule, and no other above info.
        good: The same, mended; breaks no rule above info.
        probe: Whether only the phase `protocol` can show it.
        calls: Whether only calls can show it.
        find: Yields each flaw.
    """

    id: str
    check: Check
    severity: Severity
    title: str
    why: str
    fix: str
    source: str
    bad: Evidence
    good: Evidence
    find: Find
    error_for: frozenset[Profile] = frozenset()
    probe: bool = False
    calls: bool = False

    @property
    def url(self) -> str:
        return f"{PAGES}/{self.id}.md"

    @property
    def card(self) -> RuleCard:
        return RuleCard(
            id=self.id,
            check=self.check,
            title=self.title,
            severity=self.severity,
            why=self.why,
            fix=self.fix,
            source=self.source,
            url=self.url,
        )


def rule(
    *,
    check: Check,
    severity: Severity,
    title: str,
    fix: str,
    source: str,
    bad: Evidence,
    good: Evidence,
    error_for: Sequence[str] = (),
    probe: bool = False,
    calls: bool = False,
) -> Callable[[Find], Rule]:
    """Make a rule of a function; its name is the id, its docstring the why."""

    def make(find: Find) -> Rule:
        return Rule(
            id=find.__name__.replace("_", "-"),
            check=check,
            severity=severity,
            title=title,
            why=inspect.getdoc(find) or "",
            fix=fix,
            source=source,
            bad=bad,
            good=good,
            find=find,
            error_for=frozenset(Profile(name) for name in error_for),
            probe=probe,
            calls=calls,
        )

    return make


def each_tool(function: Callable[[Definition], Iterator[Flaw]]) -> Find:
    """Let a function over one definition judge every tool."""

    @functools.wraps(function)
    def find(evidence: Evidence) -> Iterator[Flaw]:
        for tool in evidence.tools:
            for flaw in function(tool):
                yield replace(flaw, tool=tool.label)

    return find


def each_schema(function: Callable[[SchemaView], Iterator[Flaw]]) -> Find:
    """Let a function over one schema judge inputSchema and outputSchema of every tool.

    It sees only schemas that are objects; the check of a two-family rule is set by the schema that
    has the fault where the flaw names none.
    """

    @functools.wraps(function)
    def find(evidence: Evidence) -> Iterator[Flaw]:
        for tool in evidence.tools:
            for view in tool.schemas:
                for flaw in function(view):
                    yield replace(flaw, tool=tool.label)

    return find


def each_text(function: Callable[[Text], Iterator[Flaw]]) -> Find:
    """Let a function over one string judge every string of a definition that a model may read."""

    @functools.wraps(function)
    def find(evidence: Evidence) -> Iterator[Flaw]:
        for tool, texts in evidence.texts:
            for text in texts:
                for flaw in function(text):
                    yield replace(flaw, tool=tool.label, pointer=text.pointer)

    return find


def each_seen(
    *kinds: Kind, whole: bool = False
) -> Callable[[Callable[[Seen], Iterator[Flaw]]], Find]:
    """Let a function judge what the wire saw of these kinds: one entry for each kind and tool.

    Args:
        kinds: Each is given by itself.
        whole: Whether it is about the server, whatever tool was being called.
    """

    def decorate(function: Callable[[Seen], Iterator[Flaw]]) -> Find:
        @functools.wraps(function)
        def find(evidence: Evidence) -> Iterator[Flaw]:
            for seen in evidence.observations.of(*kinds):
                for flaw in function(seen):
                    yield flaw if whole or not seen.tool else replace(flaw, tool=seen.tool)

        return find

    return decorate


def each_call(function: Callable[[CallSeen], Iterator[Flaw]]) -> Find:
    """Let a function over one call judge every call; equal flaws of a tool are told once."""

    @functools.wraps(function)
    def find(evidence: Evidence) -> Iterator[Flaw]:
        told: set[Flaw] = set()
        for call in evidence.calls:
            for flaw in function(call):
                tool = call.result.tool if call.subject is None else WHOLE_SERVER
                named = replace(flaw, tool=tool, subject=flaw.subject or call.subject)
                if named not in told:
                    told.add(named)
                    yield named

    return find


def listing(*entries: Any, **more: Any) -> Evidence:
    """A server that lists these entries, as they would come over the wire."""
    return Evidence(entries=entries, **more)


def seeing(*observations: Observation, **more: Any) -> Evidence:
    """A server of which the wire saw this."""
    return Evidence(observations=observed(*observations), **more)


def calling(*calls: CallSeen, **more: Any) -> Evidence:
    """A server that gave these results."""
    return Evidence(calls=calls, **more)
