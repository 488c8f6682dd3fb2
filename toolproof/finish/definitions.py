"""Places in a source file where a tool's name is written down to define it, by their form."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from toolproof.finish.source_lexers import Piece, inside
from toolproof.finish.source_text import SourceText


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Code that may define a tool.

    Attributes:
        name: As it stands there.
        offset: Where it stands.
        begin: Offset of the code that belongs to it; `end` is past that, as far as can be told.
        sure: Whether the form alone says that a tool is defined, not something else with a name;
            if not, it counts only with the tool's description in it.
        described: Descriptions that are written out there, escapes as written.
        wrapper: The function that is called with the name first, where that is all that is known.
    """

    name: str
    offset: int
    begin: int
    end: int
    sure: bool = True
    described: tuple[str, ...] = ()
    wrapper: str | None = None


_REGISTERS = re.compile(
    r"(?:[rR]egister|[aA]dd|[dD]efine|[cC]reate|[nN]ew|[mM]ake|[mM]ust)_?(?:\w+_?)?[tT]ool|[tT]ool"
)
_OF_A_CLASS = frozenset({"Builder", "build", "builder", "create", "define", "from_function", "new"})
_TOOLISH = re.compile(
    r"(?:[A-Z]\w*)?Tools?(?:Definition|Spec|Schema|Info|CreateOptions|Options)?"
    rf"|{_REGISTERS.pattern}|(?:\w+_)?tool"
)
_NO_TOOL = re.compile(
    r"call|invo[ck]|exec|request|respon|result|prompt|resource|mock|fake|stub|expect|assert|log|trac[ek]"
    r"|metric|span|remove|delete|register(?<=unregister)|disable|enable|find|has|get|lookup|select"
    r"|choice|alias|rename|permission|usage|event|error|test|skip|exclude|allow|deny|filter|run",
    re.IGNORECASE,
)
_NO_TOOL_CLASS = re.compile(
    r"Call|Invo|Prompt|Resource|Mock|Fake|Stub|Error|Event|Test|Use(?![a-z])"
)
_ELSEWHERE = re.compile(
    r"prompt|resource|expect|assert|mock|stub|fake|call_?tool|logger|(?-i:\A\.?to[A-Z])",
    re.IGNORECASE,
)
_KEY = re.compile(r"""(?:^|[\s,({\[;<])(?P<quote>["']?)[nN]ame(?P=quote)[ ]*(?::(?!:)|=>|=)\s*\Z""")
_ASSIGNED = re.compile(
    r"\b(?:name|NAME|toolName|tool_name|TOOL_NAME)\b(?:[ ]*:[^\"=\n(){},;]{0,40})?[ ]*=\s*\Z"
    r"|\b(?:getN|n|N)ame\(\)[^{};\"]{0,40}\{\s*return\s*\Z|\n[ \t]*tool_name[ (][ ]*\Z"
)
_BUILT = re.compile(r"\bTool\w*(?:\.|::)(?:[bB]uilder|new)\(\)[^;{}]{0,300}\.[nN]ame\(\s*\Z")
_TYPE_ARGUMENTS = r"(?:<[^<>()\n]{0,80}>)?"
_FIRST = re.compile(
    rf"(?P<at>@?)(?P<callee>(?<![\w$.:])(?:[\w$.]|::)+){_TYPE_ARGUMENTS}\(\s*(?P<after>&?\w[\w.]*\s*,\s*)?\Z"
)
_CALLEE = re.compile(rf"(?P<callee>(?<![\w$.:])(?:[\w$.]|::)+){_TYPE_ARGUMENTS}\s*(?:\(\))?\s*\Z")
_TYPED = re.compile(r"[:\]][ ]*[\w.]*Tool(?:Definition|Spec|Schema)?(?:<[^<>\n]{0,80}>)?[ ]*=\s*\Z")
_TOOL_LIST = re.compile(
    r"\b(?:\w*_)?\w*tools?(?P<quote>[\"']?)\s*(?::[^=;\n]{0,60})?[:=]\s*\[?\s*\Z", re.IGNORECASE
)
_OTHER_FUNCTION = re.compile(r"\bfunction[\"']?\s*(?::|=>)\s*\Z")
_MEMBER = re.compile(
    r"""(?P<quote>["']?)(?P<key>(?<![\w$])[\w$]+)(?P=quote)\s*(?::(?!:)|=>|=(?![=>])|\()\s*"""
)
_SCHEMA = frozenset(
    {"InputSchema", "RawInputSchema", "inputSchema", "input_schema", "parameters", "schema"}
)
_DESCRIBES = frozenset({"Description", "WithDescription", "description"})
_OF_A_CALL = frozenset({"Arguments", "args", "arguments", "params", "role", "tool_call_id"})
_AFTER_OPENING = re.compile(r"\(\s*(?:&?\w[\w.]*\s*,\s*)?")
_COMMA = re.compile(r"\s*,\s*")
_FARTHEST = 400
_LEVELS = 4
_LONGEST = 20_000


def definitions(source: SourceText, names: Collection[str]) -> Iterator[Hit]:
    """Where a tool of one of the names may be defined by writing its name down."""
    for literal in source.literals:
        name = source.text[literal.start + 1 : literal.end - 1]
        if name in names and inside(source.text, literal, source.suffix) == (name, True):
            hit = _by_form(source, name, literal)
            if hit and not is_elsewhere(source, literal.start):
                yield hit


def is_toolish(callee: str) -> bool:
    """Whether a function or type, by its name, makes or registers a tool: `mcp.NewTool`, `Tool`."""
    parts = re.split(r"\.|::", callee)
    if parts[-1] in _OF_A_CLASS and len(parts) > 1:
        parts.pop()
    word = parts[-1]
    refused = _NO_TOOL_CLASS if word[:1].isupper() else _NO_TOOL
    return bool(_TOOLISH.fullmatch(word)) and not refused.search(word)


def members(source: SourceText, opening: int) -> Iterator[tuple[str, int]]:
    """The keys, or named arguments, between a bracket and its other half, with where values begin.

    A call in there is one too, by the function's name: `WithDescription(`.
    """
    end = min(source.end_of_brackets(opening) or opening + _FARTHEST, opening + _LONGEST)
    for start, stop in source.outermost(opening, end):
        for found in _MEMBER.finditer(source.code, start, stop):
            yield found["key"], found.end()


def is_elsewhere(source: SourceText, offset: int) -> bool:
    """Whether the code around `offset` is about something else than defining tools.

    Prompts and resources have names and descriptions too; so have the words of a test.
    """
    opening = source.opening_before(offset)
    for _ in range(_LEVELS):
        if opening is None:
            return False
        callee = _CALLEE.search(source.code, max(0, opening - _FARTHEST), opening)
        if callee and _ELSEWHERE.search(_last(callee["callee"])):
            return True
        opening = source.opening_before(opening)
    return False


def name_given(source: SourceText, offset: int) -> str | None:
    """The name of the tool that the code around `offset` defines, where it says that outright."""
    opening = source.opening_before(offset)
    for _ in range(_LEVELS):
        if opening is None:
            return None
        callee = _CALLEE.search(source.code, max(0, opening - _FARTHEST), opening)
        toolish = bool(callee and is_toolish(callee["callee"]))
        for key, value in members(source, opening):
            if key in ("name", "Name"):
                return _literal_at(source, value)
        if toolish and source.code[opening] == "(":
            first = _AFTER_OPENING.match(source.code, opening)
            return _literal_at(source, first.end()) if first else None
        opening = source.opening_before(opening)
    return None


def _by_form(source: SourceText, name: str, literal: Piece) -> Hit | None:
    before = source.code[max(0, literal.start - _FARTHEST) : literal.start]
    match before.rstrip()[-1:]:
        case ":" | "=" | ">":
            if _KEY.search(before):
                return _named(source, name, literal)
            if _ASSIGNED.search(before):
                return _alone(name, literal)
        case "(" | ",":
            if _BUILT.search(before):
                return _alone(name, literal, sure=True)
            first = _FIRST.search(before)
            return _as_argument(source, name, literal, first) if first else None
        case _:
            if _ASSIGNED.search(before):
                return _alone(name, literal)
    return None


def _alone(name: str, literal: Piece, *, sure: bool = False) -> Hit:
    return Hit(name=name, offset=literal.start, begin=literal.start, end=literal.end, sure=sure)


def _as_argument(source: SourceText, name: str, literal: Piece, first: re.Match[str]) -> Hit | None:
    callee = first["callee"]
    if is_toolish(callee) and _is_registered(source, first, literal):
        return _registered(source, name, literal)
    if _ASSIGNED.search(first.string):
        return _alone(name, literal)
    if not first["after"] and not _NO_TOOL.search(_last(callee)):
        return _registered(source, name, literal, wrapper=callee)
    return None


def _is_registered(source: SourceText, first: re.Match[str], literal: Piece) -> bool:
    word = _last(first["callee"])
    if word in ("tool", "Tool"):
        # Without more arguments it may as well look a tool up, unless it decorates.
        more = source.code[literal.end : literal.end + 80].lstrip().startswith(",")
        return not first["after"] and (more or bool(first["at"]))
    return bool(_REGISTERS.fullmatch(word)) or word in _OF_A_CLASS


def _last(callee: str) -> str:
    return re.split(r"\.|::", callee)[-1]


def _registered(
    source: SourceText, name: str, literal: Piece, *, wrapper: str | None = None
) -> Hit | None:
    opening = source.opening_before(literal.start)
    if opening is None:
        return None
    end = source.end_of_brackets(opening) or literal.end
    described = [*_descriptions(source, opening)]
    second = _COMMA.match(source.code, literal.end)
    if second:
        text = _literal_at(source, second.end())
        if text is not None and " " in text:
            described.append(text)
        elif source.code[second.end() : second.end() + 1] == "{":
            described.extend(_descriptions(source, second.end()))
    return Hit(
        name=name,
        offset=literal.start,
        begin=opening,
        end=end,
        sure=wrapper is None,
        described=tuple(described),
        wrapper=wrapper,
    )


def _named(source: SourceText, name: str, literal: Piece) -> Hit | None:
    opening = source.opening_before(literal.start)
    if opening is None:
        return _alone(name, literal)
    keys = {key for key, _ in members(source, opening)}
    start = max(0, opening - _FARTHEST)
    callee = _CALLEE.search(source.code, start, opening)
    has_schema = bool(keys & _SCHEMA)
    if (keys & _OF_A_CALL and not has_schema) or _OTHER_FUNCTION.search(
        source.code, start, opening
    ):
        return None
    if callee and not is_toolish(callee["callee"]) and _NO_TOOL.search(_last(callee["callee"])):
        return None
    return Hit(
        name=name,
        offset=literal.start,
        begin=opening,
        end=source.end_of_brackets(opening) or literal.end,
        sure=(
            bool(callee and is_toolish(callee["callee"]))
            or (has_schema and bool(keys & _DESCRIBES))
            or bool(_TYPED.search(source.code, start, opening))
            or (bool(keys & (_DESCRIBES | _SCHEMA)) and _is_in_tools(source, opening))
        ),
        described=tuple(_descriptions(source, opening)),
    )


def _is_in_tools(source: SourceText, opening: int) -> bool:
    """Whether an object is an argument of what makes tools, or an entry of a list of them."""
    outer = source.opening_before(opening)
    if outer is None:
        return False
    start = max(0, outer - _FARTHEST)
    callee = _CALLEE.search(source.code, start, outer)
    if callee and is_toolish(callee["callee"]):
        return True
    return source.code[outer] in "[{" and bool(_TOOL_LIST.search(source.code, start, outer))


def _descriptions(source: SourceText, opening: int) -> Iterator[str]:
    for key, value in members(source, opening):
        if key in _DESCRIBES:
            text = _literal_at(source, value)
            if text is not None:
                yield text


def _literal_at(source: SourceText, offset: int) -> str | None:
    """The literal that begins at an offset, if nothing variable is added to it."""
    for index in source.literals_in(offset, offset + 1):
        text, constant = source.joined(index)
        return text if constant else None
    return None
