"""One outcome in the page: folded where it passed, open where it did not."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence

from toolproof.records import record
from toolproof.report import AnyReport, Outcome, Reason, RunReport, Severity, Status, runs_of
from toolproof.report.totals import is_problem
from toolproof.reporters.causes import findings
from toolproof.reporters.diff import diff
from toolproof.reporters.escape import html_text, identifier, one_line, visible
from toolproof.reporters.facts import milliseconds
from toolproof.reporters.links import place_link
from toolproof.reporters.view import Judged, cards_of, is_said, judged, place_of
from toolproof.text import shorten

WORDS = {
    Status.PASSED: "✓ passed",
    Status.WARNED: "! warned",
    Status.FAILED: "✕ failed",
    Status.ERRORED: "✕ errored",
    Status.SKIPPED: "\N{EN DASH} skipped",
}
_SIGNS = {"-": ("old", "\N{MINUS SIGN} "), "+": ("new", "+ "), " ": ("", "  "), "@": ("gap", "… ")}
_NAME = 300
_HINT = 160


@record
class Room:
    """How much is told of each outcome.

    Attributes:
        text: The most characters of one text.
        stderr: Of a server's last words; 0 leaves them out.
        facts: Whether measurements and what else is known of a passing outcome is told.
    """

    text: int = 16_000
    stderr: int = 8_000
    facts: bool = True


class Blocks:
    """Makes the blocks of one report's outcomes, each with an address of its own."""

    def __init__(self, report: AnyReport) -> None:
        self.rules = cards_of(report)
        self.failing = [one for one in findings(report) if one.fails]
        self._taken: Counter[str] = Counter()
        self._rules = {rule: self._unique(f"rule-{identifier(rule)}") for rule in self.rules}
        self._ids: dict[int, str] = {}
        self._first: dict[str, int] = {}  # the first outcome that ends with these lines
        for one in judged(report):
            name = f"{one.run.label}\0{one.outcome.name}"
            digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:10]
            if one.outcome.status.fails:
                self._first.setdefault(one.outcome.stderr.strip(), id(one.outcome))
            self._ids[id(one.outcome)] = self._unique(f"{identifier(one.phase)}-{digest}")
        runs = runs_of(report)
        self._parts = {
            (id(run), phase): self._unique(
                f"{identifier(run.label[:80])}--{phase}" if len(runs) > 1 else f"phase-{phase}"
            )
            for run in runs
            for phase, _ in run.groups
        }

    def _unique(self, address: str) -> str:
        """The address, or with a number behind it where it is taken."""
        found = address
        while found in self._taken:
            self._taken[address] += 1
            found = f"{address}-{self._taken[address]}"
        self._taken[found] = 1
        return found

    def part(self, run: RunReport, phase: str) -> str:
        """The id of a phase's part of the page."""
        return self._parts[id(run), phase]

    def rule(self, rule: str) -> str:
        """The id of what is told of a rule."""
        return self._rules[rule]

    def address(self, outcome: Outcome) -> str:
        """The id of an outcome's block: the same in every run."""
        return self._ids[id(outcome)]

    def block(self, one: Judged, room: Room, *, extra: str = "") -> str:
        """The whole of an outcome; `extra` is HTML that follows its reasons."""
        outcome = one.outcome
        address = self.address(outcome)
        body = "".join(self._body(one, room)) + extra
        bad = outcome.status.fails or outcome.status is Status.WARNED
        head = "".join(self._head(one))
        if body:
            opened = " open" if outcome.status.fails else ""
            inner = f'<details{opened}><summary>{head}</summary><div class="body">{body}</div></details>'
        else:
            inner = f'<div class="line">{head}</div>'
        severities = " ".join(
            dict.fromkeys(str(r.severity) for r in outcome.reasons if is_problem(r))
        )
        shape = f"outcome {outcome.status}{' bad' if bad else ''}"
        name = html_text(shorten(one_line(one.title or outcome.name), _NAME))
        return (
            f'<article class="{shape}" id="{address}" data-phase="{html_text(one.phase)}" '
            f'data-status="{outcome.status}" data-severity="{severities}" '
            f'data-server="{identifier(one.run.label[:80])}">'
            f'<a class="permalink" href="#{address}" aria-label="Link to {name}">#</a>{inner}</article>\n'
        )

    def _head(self, one: Judged) -> Iterator[str]:
        outcome = one.outcome
        known = any(reason.known is not None for reason in outcome.reasons)
        word = (
            "\N{EN DASH} known"
            if known and outcome.status is Status.SKIPPED
            else WORDS[outcome.status]
        )
        yield f'<span class="badge {outcome.status}">{word}</span>'
        yield f'<span class="name">{html_text(shorten(one_line(outcome.name), _NAME))}</span>'
        hint = _hint(one)
        if hint:
            yield f'<span class="hint">{html_text(hint)}</span>'
        meta = []
        if outcome.place:
            where = f"{one_line(outcome.place.file)}:{outcome.place.line}"
            meta.append(f"<code>{html_text(shorten(where, _NAME))}</code>")
        if outcome.duration_ms is not None:
            meta.append(f"<span>{milliseconds(outcome.duration_ms)}</span>")
        if meta:
            yield f'<span class="meta">{"".join(meta)}</span>'

    def _body(self, one: Judged, room: Room) -> Iterator[str]:
        outcome = one.outcome
        if outcome.status is not Status.SKIPPED or any(
            r.known is not None for r in outcome.reasons
        ):
            told = any(reason.severity is not Severity.ERROR for reason in outcome.reasons)
            for reason in outcome.reasons:
                parts = self._reason(one, reason, room, severities=told)
                yield f'<div class="reason">{"".join(parts)}</div>'
        if outcome.facts and room.facts:
            yield facts(outcome.facts)
        if room.stderr:
            yield from self._stderr(outcome, room)

    def _stderr(self, outcome: Outcome, room: Room) -> Iterator[str]:
        """Open where it is told first: tests of one server end with the same lines."""
        stderr = outcome.stderr.strip()
        if not stderr or not outcome.status.fails:
            return
        if all(is_said(stderr, reason) for reason in outcome.reasons):
            return
        opened = " open" if self._first.get(stderr) == id(outcome) else ""
        words = html_text(stderr[-room.stderr :])
        yield (
            f'<details class="stderr"{opened}><summary>Stderr of the server</summary>'
            f"<pre>{words}</pre></details>"
        )

    def _reason(
        self, one: Judged, reason: Reason, room: Room, *, severities: bool
    ) -> Iterator[str]:
        head = "".join(self._reason_head(one, reason, severities=severities))
        if head:
            yield f'<p class="head">{head}</p>'
        yield f'<p class="message">{html_text(shorten(visible(reason.message), room.text))}</p>'
        if reason.pointer:
            yield _more(
                "At", f"<code>{html_text(shorten(one_line(reason.pointer), room.text))}</code>"
            )
        if reason.fix:
            yield _more("Fix", html_text(shorten(visible(reason.fix), room.text)))
        if reason.known is not None:
            yield _more("Known", html_text(shorten(visible(reason.known), room.text)))
        if reason.expected is not None or reason.got is not None:
            yield _difference(reason, room)
        if reason.repeat:
            yield _repeat(reason.repeat, room)

    def _reason_head(self, one: Judged, reason: Reason, *, severities: bool) -> Iterator[str]:
        counts = is_problem(reason) or reason.known is not None
        kind = html_text(shorten(one_line(one.kind(reason)), _NAME))
        if not counts or severities:  # else the head has said that it failed
            word = str(reason.severity) if counts else "note"
            yield f'<span class="badge {word}">{word}</span>'
        if reason.rule in self._rules:
            yield f'<a href="#{self._rules[reason.rule]}"><code>{kind}</code></a>'
        elif reason.rule:
            yield f"<code>{kind}</code>"
        place = place_of(one.outcome, reason)
        link = place_link(one.run, place) if place else None
        if place and (link or place != one.outcome.place):  # the outcome's stands in its head
            words = shorten(f"{one_line(place.file)}:{place.line}", _NAME)
            where = f"<code>{html_text(words)}</code>"
            yield f'<a href="{html_text(link)}" rel="noreferrer">{where}</a>' if link else where


def _hint(one: Judged) -> str:
    """What is wrong in a few words, for those who only read the heads."""
    outcome = one.outcome
    if outcome.status is Status.SKIPPED and outcome.reasons:
        return shorten(one_line(outcome.reasons[0].known or outcome.reasons[0].message), _HINT)
    problems = [reason for reason in outcome.reasons if is_problem(reason)]
    if not problems:
        return ""
    first = problems[0]
    said = shorten(one_line(first.message), _HINT)
    if outcome.status.fails:  # it stands open below: the kind is enough
        said = one_line(one.kind(first))
    return f"{said}, and {len(problems) - 1:,} more" if len(problems) > 1 else said


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """Labelled values."""
    listed = "".join(
        f"<div><dt>{html_text(one_line(label))}</dt><dd>{html_text(one_line(value))}</dd></div>"
        for label, value in pairs
    )
    return f'<dl class="facts">{listed}</dl>'


def _more(label: str, inner: str) -> str:
    return f'<p class="more"><b>{label}</b>{inner}</p>'


def _difference(reason: Reason, room: Room) -> str:
    lines = []
    for sign, text in diff(reason.expected, reason.got, most=200):
        kind, shown = _SIGNS[sign]
        lines.append(f'<span class="{kind}">{shown}{html_text(shorten(text, room.text))}</span>')
    label = "Expected (\N{MINUS SIGN}) and got (+)"
    if reason.got is None or reason.expected is None:
        label = "Expected" if reason.got is None else "Got"
        lines = [html_text(shorten(visible(reason.expected or reason.got or ""), room.text))]
    return f'<p class="more"><b>{label}</b></p><pre class="diff">{"".join(lines)}</pre>'


def _repeat(command: str, room: Room) -> str:
    shown = html_text(shorten(one_line(command), room.text))
    return (
        f'<div class="repeat"><pre><code>{shown}</code></pre>'
        '<button type="button" class="copy">Copy</button></div>'
    )
