"""The blocks of the job summary; each is whole Markdown, with nothing of a server's but as code."""

from collections import Counter
from collections.abc import Iterator, Sequence

from toolproof.report import AnyReport, Place, RunReport, Severity, runs_of
from toolproof.report.totals import is_problem
from toolproof.reporters.causes import Finding, subject_of
from toolproof.reporters.diff import diff
from toolproof.reporters.escape import markdown_code, markdown_fence, markdown_text, visible
from toolproof.reporters.facts import measures, milliseconds, slowest
from toolproof.reporters.links import page_link, place_link
from toolproof.reporters.view import (
    CODE_PHASES,
    ENDED,
    Judged,
    cards_of,
    has_several_servers,
    is_said,
    judged,
    said_by,
)
from toolproof.text import count, shorten

_SIGNS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.INFO: "ℹ️"}  # noqa: RUF001 - the sign itself
_MESSAGE = 4000
_LINE = 300
_HEAD = 200
_STDERR = 2000
_MOST_NAMES = 5
_MOST_ROWS = 50
_SLOWEST = 5


def cut(text: str, most: int) -> str:
    """Visible, then shortened: so that no escape is cut in two."""
    return shorten(visible(text), most)


def ending(report: AnyReport) -> str:
    """What ended the run, in a few words; nothing where it was done."""
    for run in runs_of(report):
        for phase, outcomes in run.groups:
            if phase == ENDED:
                reason = outcomes[0].reasons[0]
                return markdown_text(cut(reason.message.partition("\n")[0], _LINE))
    return ""


def one_liner(finding: Finding) -> str:
    """A failure as an item of a list."""
    said = markdown_code(cut(said_by(finding.reason), _LINE))
    return f"- {_name(finding)}: {said}"


def _name(finding: Finding) -> str:
    """The kind and the subject, with a word beside the symbol."""
    sign = f"{_SIGNS[finding.severity]} {finding.severity}"
    kind = markdown_code(cut(finding.kind, _LINE))
    names = list(dict.fromkeys(member.subject for member in finding.members))
    shown = ", ".join(markdown_code(cut(name, _LINE)) for name in names[:_MOST_NAMES] if name)
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return f"{sign} {kind}{' · ' if shown else ''}{shown}{more}"


def detail(finding: Finding) -> str:
    """A failure in full, folded."""
    said = markdown_code(_said(finding))
    return "\n\n".join(
        [f"<details><summary>{_name(finding)}: {said}</summary>", *_inside(finding), "</details>"]
    )


def _said(finding: Finding) -> str:
    """What is wrong, for those who unfold nothing."""
    return cut(finding.reason.message.partition("\n")[0], _HEAD)


def _inside(finding: Finding) -> Iterator[str]:
    reason = finding.reason
    message = cut(reason.message, _MESSAGE)
    if message != _said(finding):
        yield markdown_fence(message, "text") if "\n" in message else markdown_code(message)
    items = list(_items(finding))
    if items:
        yield "\n".join(items)
    if reason.expected is not None or reason.got is not None:
        lines = diff(reason.expected, reason.got)
        signed = [f"@@ {text} @@" if sign == "@" else f"{sign} {text}" for sign, text in lines]
        yield markdown_fence(shorten("\n".join(signed), _MESSAGE), "diff")
    stderr = finding.outcome.stderr.strip()
    if stderr and finding.outcome.status.fails and not is_said(stderr, reason):
        yield "Stderr of the server:"
        yield markdown_fence(visible(stderr[-_STDERR:]), "text")
    if reason.repeat:
        yield "Repeat it:"
        yield markdown_fence(cut(reason.repeat, _MESSAGE).replace("\n", " "), "sh")


def _items(finding: Finding) -> Iterator[str]:
    reason = finding.reason
    if reason.pointer:
        yield f"- at {markdown_code(cut(reason.pointer, _LINE))}"
    if reason.fix:
        yield f"- fix: {markdown_text(cut(reason.fix, _LINE))}"
    places = dict.fromkeys(member.place for member in finding.members if member.place)
    shown = [_linked(finding.run, place) for place in list(places)[:_MOST_NAMES]]
    if shown:
        yield f"- in {', '.join(shown)}"
    page = page_link(cards_of(finding.run).get(reason.rule or "")) if reason.rule else None
    if page:
        yield f"- [about this rule]({page})"


def _linked(run: RunReport, place: Place) -> str:
    shown = markdown_code(cut(f"{place.file}:{place.line}", _LINE))
    link = place_link(run, place)
    return f"[{shown}]({link})" if link else shown


def problems_by_rule(report: AnyReport) -> Iterator[str]:
    """How often each rule was broken, the infos too."""
    several = has_several_servers(report)
    numbers: Counter[tuple[Severity, str]] = Counter()
    names: dict[tuple[Severity, str], dict[str, None]] = {}
    for one in judged(report):
        if one.phase not in CODE_PHASES - {ENDED, "fuzz"}:
            continue
        for reason in one.outcome.reasons:
            if is_problem(reason):
                key = (reason.severity, one.kind(reason))
                numbers[key] += 1
                names.setdefault(key, {})[subject_of(one, several=several)] = None
    if not numbers:
        return
    cards = cards_of(report)
    rows = ["### Checks by rule", "", "| severity | rule | problems | on |", "|---|---|--:|---|"]
    ordered = sorted(numbers, key=lambda key: (key[0].rank, -numbers[key], key[1]))
    for severity, rule in ordered[:_MOST_ROWS]:
        page = page_link(cards.get(rule))
        shown = markdown_code(cut(rule, _LINE))
        linked = f"[{shown}]({page})" if page else shown
        found = list(names[severity, rule])
        listed = ", ".join(markdown_code(cut(name, _LINE)) for name in found[:_MOST_NAMES])
        more = f" and {len(found) - _MOST_NAMES:,} more" if len(found) > _MOST_NAMES else ""
        sign = f"{_SIGNS[severity]} {severity}"
        rows.append(f"| {sign} | {linked} | {numbers[severity, rule]:,} | {listed}{more} |")
    yield "\n".join([*rows, *_more(len(ordered), "rule")])


def _more(number: int, noun: str) -> list[str]:
    left_out = number - _MOST_ROWS
    return ["", f"…and {count(left_out, f'more {noun}')}: see the report."] if left_out > 0 else []


def fuzz_findings(found: Sequence[Finding]) -> Iterator[str]:
    """What fuzzing found, in a line each."""
    mine = [one for one in found if one.phase == "fuzz"]
    if not mine:
        return
    rows = ["### Fuzz findings", "", "| severity | kind | tool | what |", "|---|---|---|---|"]
    for one in mine[:_MOST_ROWS]:
        more = f" and {len(one.members) - 1:,} more" if len(one.members) > 1 else ""
        kind, tool = (markdown_code(cut(text, _LINE)) for text in (one.kind, one.subject))
        said = markdown_code(cut(one.reason.message, _LINE))
        rows.append(f"| {_SIGNS[one.severity]} {one.severity} | {kind} | {tool}{more} | {said} |")
    yield "\n".join([*rows, *_more(len(mine), "finding")])


def measurements(report: AnyReport) -> Iterator[str]:
    """What was measured, a table for each phase."""
    phases: dict[str, list[tuple[str, dict[str, str]]]] = {}
    for phase, subject, facts in measures(report):
        phases.setdefault(phase, []).append((subject, dict(facts)))
    for phase, rows in phases.items():
        labels = list(dict.fromkeys(label for _, told in rows for label in told))
        table = [
            f"### {phase.capitalize()}",
            "",
            f"| | {' | '.join(markdown_text(cut(label, 60)) for label in labels)} |",
            f"|---|{'--:|' * len(labels)}",
        ]
        for subject, told in rows[:_MOST_ROWS]:
            values = [markdown_text(cut(told.get(label, ""), 100)) for label in labels]
            table.append(f"| {markdown_code(cut(subject, _LINE))} | {' | '.join(values)} |")
        yield "\n".join([*table, *_more(len(rows), "row")])


def slowest_ones(report: AnyReport) -> Iterator[str]:
    """What took over a second."""
    several = has_several_servers(report)

    def shown(one: Judged) -> str:
        return markdown_code(cut(subject_of(one, several=several, titled=True), _LINE))

    found = [f"{shown(one)} {milliseconds(took)}" for took, one in slowest(report, _SLOWEST)]
    if found:
        yield f"**Slowest:** {', '.join(found)}"


def known_ones(report: AnyReport) -> Iterator[str]:
    """What the baseline lets pass, by its reason."""
    reasons: Counter[str] = Counter(
        reason.known
        for one in judged(report)
        for reason in one.outcome.reasons
        if reason.known is not None and not one.run.only_new
    )
    if not reasons:
        return
    rows = [f"**{count(sum(reasons.values()), 'known problem')}**, let pass by the baseline:", ""]
    for why, number in reasons.most_common(_MOST_ROWS):
        rows.append(f"- {number:,}: {markdown_code(cut(why, _LINE))}")
    yield "\n".join([*rows, *_more(len(reasons), "reason")])
