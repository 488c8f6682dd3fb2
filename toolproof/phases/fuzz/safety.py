"""Whether a tool may be called with made-up arguments, from what its definition says (pure)."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Protocol

from toolproof.judgement.naming import changing_word, name_words
from toolproof.report import Tool

ACTING = frozenset(
    """
    accept activate add append apply approve archive assign attach ban block book broadcast bulk buy
    cancel change charge checkout clean clear click clone close command commit configure copy
    create deactivate debit decline delete deploy destroy detach disable disconnect dismiss dispatch
    drop duplicate edit email enable enqueue erase eval evict exec execute fill forget fork
    generate give grant halt import init initialize insert install invite invoke issue join
    kick kill launch leave like lock login logout mark merge migrate mint modify move mute
    mutate notify order overwrite pause pay pin place post press promote provision
    publish purchase purge push put patch reboot rebuild recreate redeem refund register reject release
    remove rename replace reply reserve reset resize restart restore resume retry revert
    revoke roll rollback rotate run save scale schedule send set share shell shutdown sign
    spawn star start stop store submit subscribe swap sync terminate toggle transfer trigger
    truncate type unblock undeploy undo uninstall unlink unlock unpublish unregister unset
    unsubscribe update upgrade upload upsert vote wipe withdraw write
    """.split()  # noqa: SIM905 - a table of words reads better than a list of strings
)
"""First words of names, and verbs that begin a description, that say that something is done."""

READING = frozenset(
    """
    analyze ask browse calculate check classify compare compute convert count debug decode describe
    detect diff discover display echo encode estimate evaluate examine explain explore extract fetch
    filter find format get grep has hash head health help hello info inspect is list load locate look
    lookup match math measure open parse peek ping plan poll preview print query read recall render
    report resolve retrieve review scan score search select show sort stat stats status string sum
    summarize tail tell test time translate validate verify version view weather what when where
    which who whoami
    """.split()  # noqa: SIM905
)
"""First words of names that say that something is looked at or worked out."""

_EVERYWHERE = frozenset(
    """
    delete remove drop destroy purge erase wipe truncate create insert update write send pay charge
    transfer refund exec execute deploy install uninstall publish upload commit kill terminate
    """.split()  # noqa: SIM905
)
"""Words that mean it wherever they stand in a name: `task_delete`, `pods_exec`."""

_NOUNS = frozenset(
    """
    book bulk clean clear close command email fork generate issue like lock mark order place post
    press register reserve roll run schedule set share shell sign star store type
    """.split()  # noqa: SIM905
)
"""Words that begin a description as nouns or adjectives just as well: "Set of ...", "Bulk ..."."""

_ACTS = re.compile(
    r"\b(?:will|can|may|to|and|then|also|permanently|irreversibly|immediately)\s+(?:be\s+)?"
    r"(?:delet|remov|eras|wip|overwrit|destroy|send|sent|pay|charg|transfer|execut|publish|"
    r"purchas|terminat|uninstall|drop)(?:es|ed|ing|e|s|t)?\b",
    re.IGNORECASE,
)
_RUNS = re.compile(
    r"\b(?:code|commands?|interpreter|javascript|pipelines?|programs?|python|repl|ruby|scripts?|shell|"
    r"snippets?|sql|statements?)\b",
    re.IGNORECASE,
)
"""What `evaluate` runs where it is no formula that it works out."""
_WORD = re.compile(r"[A-Za-z]+")
_HEAD = 4_000
"""So many characters of a description are read."""

_WORKED_OUT = frozenset({"add", "roll"})
"""What may be said of numbers too: `add(a, b)`."""


class Wishes(Protocol):
    """What the config's section `fuzz` says of which tools."""

    @property
    def tools(self) -> Sequence[str]: ...
    @property
    def skip(self) -> Sequence[str]: ...
    @property
    def include_destructive(self) -> bool: ...


def why_skipped(tool: Tool, wishes: Wishes) -> str | None:
    """Why the tool must not be fuzzed, with the way in; None where it may be.

    A tool that the user names is fuzzed, whatever it says of itself.
    """
    if not tool.name:
        return "it has no name by which it could be called"
    if _needs_task(tool):
        return "it needs the task extension, which the fuzzer does not speak"
    if any(fnmatchcase(tool.name, pattern) for pattern in wishes.skip):
        return "fuzz.skip leaves it out"
    if wishes.tools:
        named = any(fnmatchcase(tool.name, pattern) for pattern in wishes.tools)
        return None if named else "it is none of the tools that were asked for"
    danger = None if wishes.include_destructive else danger_of(tool)
    return f"{danger}; fuzz it with --tool NAME or --include-destructive" if danger else None


def danger_of(tool: Tool) -> str | None:
    """What in the definition says that a call may do harm; None where nothing does.

    Source: MCP 2026-07-28 schema, ToolAnnotations: destructiveHint is true where it is not given.
    """
    read_only = tool.annotations.get("readOnlyHint")
    destructive = tool.annotations.get("destructiveHint")
    if destructive is True:
        return "it says that it is destructive (destructiveHint)"
    if read_only is True:
        word = changing_word(tool.name)
        return f"it says that it is read-only, but its name begins with '{word}'" if word else None
    if destructive is False:
        return None
    if read_only is False:
        return "it says that it is not read-only, and not that it destroys nothing"
    return _by_its_words(tool)


def _by_its_words(tool: Tool) -> str | None:
    """By name and description, where no annotation tells."""
    words = name_words(tool.name)
    first = words[0] if words else ""
    if first in ACTING and not (first in _WORKED_OUT and _takes_only_numbers(tool)):
        return f"it has no annotations, and its name begins with '{first}'"
    if first == "evaluate" and (runs := _RUNS.search(_said_of(tool))):
        return f"it has no annotations, and evaluates what may be '{runs[0].lower()}'"
    if first in READING or first in _WORKED_OUT:
        return None
    acting = next((word for word in words[1:] if word in _EVERYWHERE), None)
    if acting:
        return f"it has no annotations, and its name says '{acting}'"
    return _by_its_description(tool.description[:_HEAD])


def _said_of(tool: Tool) -> str:
    fields = tool.input_schema.get("properties")
    names = [str(name) for name in fields] if isinstance(fields, dict) else []
    words = (word for name in (tool.name, *names) for word in name_words(name))
    return f"{' '.join(words)} {tool.description[:_HEAD]}"


def _by_its_description(description: str) -> str | None:
    found = _WORD.search(description[:100])
    word = found[0].lower() if found else ""
    verb = _infinitive(word)
    if verb in ACTING and not (word == verb and verb in _NOUNS):
        return f"it has no annotations, and its description begins with '{word}'"
    acts = _ACTS.search(description)
    if acts:
        said = " ".join(acts[0].lower().split())
        return f"it has no annotations, and its description says '{said}'"
    return None


def _infinitive(word: str) -> str:
    """`deletes` becomes `delete`, `pushes` `push`, `copies` `copy`."""
    candidates = [word, word.removesuffix("s"), word.removesuffix("es")]
    if word.endswith("ies"):
        candidates.append(f"{word[:-3]}y")
    return next((one for one in candidates if one in ACTING), word)


def _takes_only_numbers(tool: Tool) -> bool:
    """Whether it works on numbers alone, as `add(a, b)` does."""
    fields = tool.input_schema.get("properties")
    if not isinstance(fields, dict) or not fields:
        return False
    types = [field.get("type") if isinstance(field, dict) else None for field in fields.values()]
    return all(kind in ("number", "integer") for kind in types)


def _needs_task(tool: Tool) -> bool:
    execution = tool.raw.get("execution") if isinstance(tool.raw, dict) else None
    return isinstance(execution, dict) and execution.get("taskSupport") == "required"
