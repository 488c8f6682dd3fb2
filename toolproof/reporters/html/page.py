"""The frame of the page: head, verdict, totals, filters, rules, end."""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from toolproof.report import AnyReport, Outcome, RuleCard, RunReport, Severity, Status, runs_of
from toolproof.report.totals import Totals, amounts, found_words, known_in, totals_of
from toolproof.reporters.causes import Finding
from toolproof.reporters.escape import html_text, identifier, one_line
from toolproof.reporters.facts import seconds
from toolproof.reporters.html.outcomes import Blocks
from toolproof.reporters.links import page_link
from toolproof.reporters.view import ENDED, said_by
from toolproof.text import count, shorten

TITLES = {
    "checks": "Static checks",
    "protocol": "Protocol",
    "tests": "Tests",
    "evals": "Evals",
    "bench": "Bench",
    "fuzz": "Fuzz",
    "baseline": "Baseline",
    ENDED: "The run itself",
}
_COLUMNS = ("passed", "warned", "failed", "errored", "skipped")
_SIGNS = {
    True: '<circle cx="12" cy="12" r="11" fill="var(--bar-passed)"/><path d="m7 12.5 3.4 3.4L17.2 9" fill="none" stroke="#fff" stroke-width="2.4"/>',
    False: '<circle cx="12" cy="12" r="11" fill="var(--bar-failed)"/><path d="m8 8 8 8m0-8-8 8" fill="none" stroke="#fff" stroke-width="2.4"/>',
}
_NAME = 200
_SERVER = 120
_MOST_CAUSES = 12


@cache
def asset(name: str) -> str:
    """The style or the script of the page: constants of the package, kept as files for editors."""
    return files("toolproof.reporters.html").joinpath(name).read_text(encoding="utf-8")


def head(report: AnyReport) -> str:
    """Up to the page's body: a strict policy, the style, no address outside the file."""
    script = base64.b64encode(hashlib.sha256(asset("script.js").encode()).digest()).decode()
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{script}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    title = f"{_name(report)} {_word(report).lower()} · toolproof"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{html_text(title)}</title>\n<style>\n{asset('style.css')}</style>\n</head>\n"
        '<body>\n<a class="skip" href="#main">Skip to the results</a>\n'
    )


def end(report: AnyReport) -> str:
    """The last lines, and the script, which the policy names by its hash."""
    version = next((run.toolproof_version for run in runs_of(report) if run.toolproof_version), "")
    keys = '<span class="keys"> · <kbd>/</kbd> search, <kbd>j</kbd> <kbd>k</kbd> next and previous</span>'
    return (
        f'</main>\n<footer><div class="wrap">Written by toolproof {html_text(one_line(version))}. '
        f"This page is one file and asks for nothing from the network.{keys}</div></footer>\n"
        f"<script>{asset('script.js')}</script>\n</body>\n</html>\n"
    )


def _name(report: AnyReport) -> str:
    runs = runs_of(report)
    return (
        count(len(runs), "server") if len(runs) != 1 else shorten(one_line(runs[0].label), _SERVER)
    )


def _word(report: AnyReport) -> str:
    return {"passed": "Passed", "failed": "Failed"}.get(report.outcome, "Not done")


def verdict(report: AnyReport, blocks: Blocks) -> str:
    """What came of it, of what, and how it was run."""
    runs = runs_of(report)
    found = found_words(report)
    known = known_in(report)
    said = [f"<strong>{html_text(found)}</strong>" if found else "No errors, no warnings"]
    said.append(f"in {html_text(', '.join(amounts(report)))}" if runs and amounts(report) else "")
    said.append(f"· {count(known, 'known problem')}" if known else "")
    listed = "".join(
        f"<div><dt>{label}</dt><dd>{html_text(shorten(one_line(value), 300))}</dd></div>"
        for label, value in _about(report)
    )
    sign = _SIGNS[report.exit_code == 0]
    return (
        f'<header class="top {report.outcome if report.outcome != "error" else "errored"}"><div class="wrap">\n'
        f'<div class="row"><svg class="sign" viewBox="0 0 24 24" aria-hidden="true">{sign}</svg>\n'
        f"<div><h1>{_word(report)}: {html_text(_name(report))}</h1>\n"
        f'<p class="said">{" ".join(filter(None, said))}</p></div></div>\n'
        f'<dl class="about">{listed}</dl>\n{_totals(report, blocks)}</div></header>\n'
    )


def _about(report: AnyReport) -> Iterator[tuple[str, str]]:
    runs = runs_of(report)
    for label, values in (
        ("Server", [_server(run) for run in runs]),
        ("Protocol", [_protocol(run) for run in runs]),
        ("Command", [run.target for run in runs]),
        ("Config", [run.config_file or "" for run in runs]),
        ("Started", [run.started.replace("T", " ").replace("Z", " UTC") for run in runs]),
        ("Seed", ["" if run.seed is None else str(run.seed) for run in runs]),
        ("Shard", [run.shard or "" for run in runs]),
        ("Commit", [dict(run.ci).get("sha", "")[:12] for run in runs]),
    ):
        shown = list(dict.fromkeys(filter(None, values)))
        if shown:
            more = f" and {len(shown) - 3} more" if len(shown) > 3 else ""
            yield label, ", ".join(shown[:3]) + more
    yield "Took", seconds(report.duration_s)
    yield "Exit code", str(report.exit_code)


def _server(run: RunReport) -> str:
    name = run.server_name or ""
    return (
        " ".join(filter(None, (name, run.server_version)))
        if name != run.label or run.server_version
        else ""
    )


def _protocol(run: RunReport) -> str:
    return f"{run.server.protocol} over {run.server.transport}" if run.server else ""


def filled(run: RunReport) -> Iterator[tuple[str, Sequence[Outcome]]]:
    """The phases that judged anything; the verdict says what there was none of."""
    return ((phase, outcomes) for phase, outcomes in run.groups if outcomes)


def _totals(report: AnyReport, blocks: Blocks) -> str:
    several = len(runs_of(report)) > 1
    rows = []
    for run in runs_of(report):
        times = {str(section.phase): section.duration_s for section in run.sections}
        for phase, outcomes in filled(run):
            title = TITLES.get(phase, phase)
            shown = f"{shorten(one_line(run.label), 60)} · {title}" if several else title
            anchor = blocks.part(run, phase)
            time = seconds(times[phase]) if phase in times else ""
            rows.append(
                f'<tr><td><a href="#{anchor}">{html_text(shown)}</a></td>'
                f'<td class="wide">{bar(totals_of(outcomes))}</td>{_cells(totals_of(outcomes))}'
                f'<td class="time">{time}</td></tr>'
            )
    if not rows:
        return ""
    heads = "".join(f'<th scope="col">{column.capitalize()}</th>' for column in _COLUMNS)
    return (
        '<table class="totals"><thead><tr><th scope="col">Phase</th><td class="wide"></td>'
        f'{heads}<th class="time" scope="col">Time</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>\n"
    )


def _cells(totals: Totals) -> str:
    kinds = {"failed": "bad", "errored": "bad", "warned": "warn"}
    cells = []
    for column in _COLUMNS:
        number = getattr(totals, column)
        kind = kinds.get(column, "") if number else "zero"
        cells.append(f'<td class="{kind}">{number:,}</td>')
    return "".join(cells)


def bar(totals: Totals) -> str:
    """The shares of each status; the numbers stand beside it."""
    parts = "".join(
        f'<i class="{column}" style="flex:{number}"></i>'
        for column in ("failed", "errored", "warned", "passed", "skipped")
        if (number := getattr(totals, column))
    )
    return f'<div class="bar" aria-hidden="true">{parts}</div>'


def section_head(phase: str, outcomes: Sequence[Outcome], anchor: str, level: str) -> str:
    """The title of a phase's part, with its sums."""
    totals = totals_of(outcomes)
    sums = ", ".join(
        f"{number:,} {status}"
        for status in ("failed", "errored", "warned", "passed", "skipped")
        if (number := getattr(totals, status))
    )
    return (
        f'<section id="{anchor}" aria-labelledby="{anchor}-title" data-phase="{html_text(phase)}">'
        f'<div class="title"><{level} id="{anchor}-title">{html_text(TITLES.get(phase, phase))}</{level}>'
        f'<span class="sums">{sums or "nothing"}</span></div>\n'
    )


def tools(report: AnyReport, *, many: bool) -> str:
    """Search and filters; shown only where the script runs."""
    runs = runs_of(report)
    phases = list(dict.fromkeys(phase for run in runs for phase, _ in run.groups))
    servers = list(dict.fromkeys((identifier(run.label[:80]), run.label) for run in runs))
    selects = [
        _select("phase", "All phases", [(phase, TITLES.get(phase, phase)) for phase in phases]),
        _select("status", "Any status", [(str(status), str(status)) for status in Status]),
        _select("severity", "Any severity", [(str(one), str(one)) for one in Severity]),
    ]
    if len(servers) > 1:
        selects.append(
            _select(
                "server",
                "All servers",
                [(one, shorten(one_line(name), 60)) for one, name in servers],
            )
        )
    return (
        '<div class="tools" role="search"><div class="wrap">'
        '<input id="search" type="search" placeholder="Search  /" aria-label="Search the results" '
        f'autocomplete="off" spellcheck="false">{"".join(selects)}'
        '<span class="count" role="status"></span>'
        '<button type="button" class="all">Unfold all</button>'
        '<button type="button" class="theme">Theme: auto</button></div></div>\n'
        f'<main id="main" tabindex="-1" class="wrap{" many-outcomes" if many else ""}">\n'
        '<p class="none nothing" hidden>Nothing fits the search and the filters.</p>\n'
    )


def _select(name: str, label: str, options: Sequence[tuple[str, str]]) -> str:
    listed = "".join(
        f'<option value="{html_text(value)}">{html_text(words)}</option>'
        for value, words in options
    )
    return f'<select name="{name}" aria-label="{label}"><option value="">{label}</option>{listed}</select>'


def causes(blocks: Blocks) -> str:
    """What fails, each cause once, with links: where to begin."""
    found = blocks.failing
    if len(found) < 2:
        return ""
    items = "".join(_cause(one, blocks) for one in found[:_MOST_CAUSES])
    more = len(found) - _MOST_CAUSES
    rest = f'<p class="many">and {count(more, "more cause")} below</p>' if more > 0 else ""
    return (
        '<section class="whole"><div class="title"><h2>What fails</h2>'
        f'<span class="sums">{count(len(found), "cause")}</span></div>'
        f'<div class="card causes"><ol>{items}</ol>{rest}</div></section>\n'
    )


def _cause(finding: Finding, blocks: Blocks) -> str:
    link = f'<a href="#{blocks.address(finding.outcome)}">{html_text(shorten(finding.subject or finding.kind, _NAME))}</a>'
    many = (
        f' <span class="many">and {len(finding.members) - 1:,} more</span>'
        if len(finding.members) > 1
        else ""
    )
    said = html_text(shorten(one_line(said_by(finding.reason)), 220))
    return f"<li>{link}{many}: {said}</li>"


def notes(report: AnyReport) -> str:
    """What is worth saying and fails nothing."""
    told = [note for run in runs_of(report) for note in run.notes]
    if not told:
        return ""
    items = "".join(
        f"<li>{html_text(f'{one_line(note.subject)}: ' if note.subject else '')}{html_text(shorten(one_line(note.message), 2000))}</li>"
        for note in told[:200]
    )
    return f'<section class="whole"><div class="title"><h2>Notes</h2></div><div class="card"><ul class="notes">{items}</ul></div></section>\n'


def rules(blocks: Blocks) -> str:
    """The rules that problems name: why, what to do, and where it is from."""
    cards = blocks.rules
    if not cards:
        return ""
    listed = "".join(
        _rule(card, blocks.rule(card.id))
        for card in sorted(cards.values(), key=lambda card: card.id)
    )
    return f'<section class="whole"><div class="title"><h2>Rules</h2></div><dl class="card rules">{listed}</dl></section>\n'


def _rule(card: RuleCard, address: str) -> str:
    page = page_link(card)
    name = f"<code>{html_text(one_line(card.id))}</code>"
    linked = f'<a href="{page}" rel="noreferrer">{name}</a>' if page else name
    return (
        f'<dt id="{address}">{linked} {html_text(one_line(card.title))}</dt>'
        f'<dd class="why">{html_text(card.why)}</dd><dd>{html_text(card.fix)}</dd>'
        f'<dd class="why">Source: {html_text(one_line(card.source))}</dd>\n'
    )
