"""Hold the evidence against every rule, less what the config ignores."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field, replace
from fnmatch import fnmatchcase
from typing import NamedTuple, Protocol

from toolproof.errors import ConfigError
from toolproof.phases.checks.notes import notes_of
from toolproof.phases.checks.rule import Evidence, Flaw, Limits, Profile, Rule
from toolproof.phases.checks.rules import all_rules
from toolproof.records import record
from toolproof.report import WHOLE_SERVER, Check, Note, PhaseName, Problem, RuleCard, Severity
from toolproof.report.fingerprint import fingerprint as fingerprint_of
from toolproof.text import listed, nearest, one_line, quoted

_CLIENTS = {
    Profile.CLAUDE: "Claude",
    Profile.OPENAI: "OpenAI",
    Profile.GEMINI: "Gemini",
    Profile.VSCODE: "VS Code",
    Profile.CURSOR: "Cursor",
    Profile.STRICT: "strict clients",
}


class IgnoreLike(Protocol):
    """What not to report: `rule` is a rule or a family, `tool` a pattern as for file names."""

    @property
    def rule(self) -> str: ...
    @property
    def tool(self) -> str: ...


class ChecksLike(Protocol):
    """What the engine reads of the config's section `checks`."""

    @property
    def max_description_length(self) -> int: ...
    @property
    def max_tokens(self) -> int | None: ...
    @property
    def clients(self) -> Iterable[str]: ...
    @property
    def ignore(self) -> Sequence[IgnoreLike]: ...


@record
class BrokenRule(Note):
    """A rule of ours that raised: a bug, and no verdict on the server.

    Attributes:
        error: What it raised.
    """

    error: Exception | None = field(default=None, compare=False)


class Checked(NamedTuple):
    """What the rules said.

    Attributes:
        problems: In the order of the tools, those of the server last; the worst first for each.
        notes: What is worth saying and no problem.
        cards: Of the rules that a problem names, by id.
    """

    problems: list[Problem]
    notes: list[Note]
    cards: list[RuleCard]


def check(
    evidence: Evidence,
    config: ChecksLike,
    *,
    server: str | None = None,
    rules: Sequence[Rule] | None = None,
) -> Checked:
    """Run the rules over all that was seen of a server.

    It never raises: a rule that does is told as a `BrokenRule`, and the others count.

    Args:
        evidence: An empty list of tools is fine: the server may not have come so far.
        config: The section `checks`; its names were looked at by `refuse_unknown_names`.
        server: What the report calls the server, for fingerprints; else the name it gives itself.
        rules: Others than all.
    """
    rules = all_rules() if rules is None else rules
    clients = frozenset(Profile(str(name)) for name in config.clients)
    evidence = replace(
        evidence,
        limits=Limits(
            max_description_length=config.max_description_length,
            max_tokens=config.max_tokens,
            clients=clients,
        ),
    )
    name = server or evidence.server_name or ""
    unused = dict(enumerate(config.ignore))
    problems: dict[tuple[str, ...], Problem] = {}
    notes: list[Note] = []
    for rule in rules:
        try:
            for flaw in rule.find(evidence):
                problem = _problem(rule, flaw, clients, name)
                used = [at for at, ignore in enumerate(config.ignore) if _covers(ignore, problem)]
                for index in used:
                    unused.pop(index, None)
                if not used:
                    problems.setdefault(_key(flaw, problem), problem)
        except Exception as error:  # noqa: BLE001 - one rule's bug must not cost the others
            message = f"internal error in rule {rule.id}: {type(error).__name__}: {error}"
            notes.append(BrokenRule(one_line(message), error=error))
    notes += notes_of(evidence)
    notes += _unused(unused, rules, evidence)
    told = {problem.rule for problem in problems.values()}
    return Checked(
        _in_order(problems.values(), evidence),
        notes,
        [rule.card for rule in rules if rule.id in told],
    )


def broken_rules(notes: Iterable[Note]) -> list[BrokenRule]:
    """Of the notes, those on rules that raised: with nothing else red, a run then exits 4."""
    return [note for note in notes if isinstance(note, BrokenRule)]


def raise_broken(notes: Iterable[Note]) -> None:
    """Raise what rules raised: for tests, where a bug of ours must not pass as a note.

    Raises:
        ExceptionGroup: One or more rules are broken.
    """
    errors = [note.error for note in broken_rules(notes) if note.error]
    if errors:
        raise ExceptionGroup("rules are broken", errors)


def refuse_unknown_names(config: ChecksLike) -> None:
    """Look at the names in `ignore`, before anything is started.

    Raises:
        ConfigError: One is neither a rule nor a family.
    """
    known = [*Check, *(rule.id for rule in all_rules())]
    for index, ignore in enumerate(config.ignore):
        if ignore.rule not in known:
            near = nearest(ignore.rule, known)
            raise ConfigError(
                f"checks.ignore[{index}]: there is no rule and no family {quoted(ignore.rule)}",
                hint=f"Did you mean {near!r}?" if near else "List them with `toolproof rules`.",
            )


def fingerprint(rule: str, server: str, subject: str, pointer: str | None) -> str:
    """What names a problem in every run: never its message, its line or the time."""
    return fingerprint_of(PhaseName.CHECKS, rule, server, subject, pointer)


def _problem(rule: Rule, flaw: Flaw, clients: Collection[Profile], server: str) -> Problem:
    severity = flaw.severity or rule.severity
    message = one_line(flaw.message)
    concerned = _concerned(rule, flaw, clients)
    if concerned and severity is not Severity.ERROR:
        severity = Severity.ERROR
        message += f" (an error for {listed(concerned)})"
    subject = flaw.subject if flaw.subject and flaw.tool == WHOLE_SERVER else flaw.tool
    return Problem(
        tool=flaw.tool,
        check=flaw.check or rule.check,
        severity=severity,
        message=message,
        rule=rule.id,
        pointer=flaw.pointer,
        fix=flaw.fix or rule.fix,
        fingerprint=fingerprint(rule.id, server, subject, flaw.pointer),
    )


def _concerned(rule: Rule, flaw: Flaw, clients: Collection[Profile]) -> list[str]:
    """The clients among those asked for that turn the flaw into an error, as people call them."""
    error_for = rule.error_for if flaw.error_for is None else flaw.error_for
    wanted = error_for | {Profile.STRICT} if error_for else error_for
    return [_CLIENTS[profile] for profile in Profile if profile in clients and profile in wanted]


def _key(flaw: Flaw, problem: Problem) -> tuple[str, ...]:
    """What makes two flaws one problem."""
    subject = flaw.subject if flaw.tool == WHOLE_SERVER else None
    return (problem.rule, problem.tool, problem.pointer or "", subject or "")


def _covers(ignore: IgnoreLike, problem: Problem) -> bool:
    names = (problem.rule, problem.check)
    return ignore.rule in names and fnmatchcase(problem.tool, ignore.tool)


def _unused(
    unused: dict[int, IgnoreLike], rules: Sequence[Rule], evidence: Evidence
) -> Iterator[Note]:
    """Say which ignores are in vain; not those for which this run had nothing to judge."""
    for index, ignore in unused.items():
        meant = [rule for rule in rules if ignore.rule in (rule.id, rule.check)]
        if meant and all(_was_judged(rule, evidence) for rule in meant):
            where = "" if ignore.tool == "*" else f" on {quoted(ignore.tool)}"
            yield Note(f"checks.ignore[{index}]: {ignore.rule}{where} hid nothing; take it out")


def _was_judged(rule: Rule, evidence: Evidence) -> bool:
    if rule.probe:
        return False
    if rule.calls:
        return bool(evidence.calls)
    return bool(evidence.entries) or rule.check is Check.PROTOCOL


def _in_order(problems: Collection[Problem], evidence: Evidence) -> list[Problem]:
    ranks: dict[str, int] = {}
    for label in (*(tool.label for tool in evidence.tools), *(p.tool for p in problems)):
        if label != WHOLE_SERVER:
            ranks.setdefault(label, len(ranks))
    last = len(ranks)

    def key(problem: Problem) -> tuple[int, int, str]:
        return ranks.get(problem.tool, last), problem.severity.rank, problem.rule

    return sorted(problems, key=key)
