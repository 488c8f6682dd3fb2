"""What is worth saying and no finding: of a tool, and of the whole server (pure)."""

import re
from collections import Counter
from collections.abc import Iterator

from toolproof.judgement.wording import mask_cause
from toolproof.phases.fuzz.lab import Lab
from toolproof.phases.fuzz.subject import Subject
from toolproof.report import Note
from toolproof.text import count, listed, one_line, quoted, shorten

_MOST_UNMODELLED = 3
_PREFIX = re.compile(r"^Error (?:executing|calling) tool [^\s:]{1,128}: |^MCP error -?\d{1,6}: ")


def notes_of_tool(subject: Subject) -> Iterator[str]:
    """What to know of a tool's result."""
    lacking = _lacking(subject)
    if lacking and subject.never_succeeded:
        yield f"no valid call succeeded: it needs {lacking}"
    elif subject.never_succeeded:
        yield told_of_failures(subject)
    yield from subject.notes
    for note in subject.plan.notes[:_MOST_UNMODELLED]:
        where = f" at {note.pointer}" if note.pointer else ""
        what = f"{note.keyword}{where}" if note.keyword else f"inputSchema{where}"
        yield f"{what}: {note.why}"


def told_of_failures(subject: Subject) -> str:
    """That no valid call succeeded, and why, in the words that came most often."""
    words = _commonest(subject)
    said = f": {quoted(words, 120)}" if words else ""
    return (
        f"no valid call succeeded ({subject.valid:,} of {subject.valid:,} failed{said}), so a pass "
        "says nothing; give values (fuzz.values) or examples in the schema"
    )


def _commonest(subject: Subject) -> str:
    """What most failures said, without what the SDK puts before it."""
    groups: Counter[str] = Counter()
    first: dict[str, str] = {}
    for said, times in subject.failures.items():
        cause = mask_cause(said)
        groups[cause] += times
        first.setdefault(cause, said)
    words = first[groups.most_common(1)[0][0]] if groups else ""
    return _PREFIX.sub("", words).replace(subject.name, "…")


def _lacking(subject: Subject) -> str:
    """What the environment lacks, where that is why its calls fail."""
    if not subject.lacking:
        return ""
    what, times = max(subject.lacking.items(), key=lambda pair: pair[1])
    return what if times * 2 >= max(subject.valid, 1) else ""


def notes_of_run(lab: Lab) -> list[Note]:
    """Habits of the server, tools that need what is not there, tools that never succeeded."""
    return [Note(shorten(one_line(words), 500), about) for words, about in _of_run(lab)]


def _of_run(lab: Lab) -> Iterator[tuple[str, str | None]]:
    habits = lab.traits.note()
    if habits:
        yield habits, None
    needing: dict[str, list[Subject]] = {}
    failing: list[Subject] = []
    for subject in lab.subjects:
        lacking = _lacking(subject)
        if lacking and subject.never_succeeded:
            needing.setdefault(lacking, []).append(subject)
        elif subject.never_succeeded:
            failing.append(subject)
    for lacking, subjects in needing.items():
        verb = "needs" if len(subjects) == 1 else "need"
        words = _commonest(subjects[0])
        said = f": {quoted(words, 160)}" if words else ""
        yield f"{count(len(subjects), 'tool')} {verb} {lacking} ({_names(subjects)}){said}", None
    if failing:
        yield (
            (
                f"{count(len(failing), 'tool')} of {len(lab.subjects):,} never succeeded "
                f"({_names(failing)}): a pass of theirs says nothing"
            ),
            None,
        )
    for flaw, said in sorted(lab.odd_codes.items()):
        yield f"an error comes with an odd code: {flaw}; it says {quoted(said, 100)}", None


def _names(subjects: list[Subject]) -> str:
    return listed([subject.name for subject in subjects], most=3)
