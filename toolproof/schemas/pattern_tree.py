"""The parts of a regular expression, once it is parsed, and the names that Unicode escapes may use."""

from dataclasses import field

from toolproof.records import record


@record
class Char:
    """One code point."""

    code: int


@record
class Dot:
    """Any code point but an end of line."""


@record
class ClassEscape:
    r"""One of \d \D \w \W \s \S."""

    letter: str


@record
class Property:
    r"""What has a Unicode property: \p{L}, \P{Script=Greek}."""

    text: str
    negated: bool


@record
class Range:
    """The code points from `low` to `high`, both included."""

    low: int
    high: int


@record
class Class:
    """A bracket expression."""

    items: tuple[Range | ClassEscape | Property, ...]
    negated: bool


@record
class Anchor:
    r"""One of ^ $ \b \B, by its last character."""

    letter: str


@record
class Back:
    """A backreference: the number of the group, or its name."""

    group: int | str


@record
class Group:
    """A group; `number` is 0 where it captures nothing; `flags` as in `(?i-s:`."""

    body: "Choice"
    number: int = 0
    name: str = ""
    flags: str = ""


@record
class Look:
    """A lookahead or lookbehind."""

    body: "Choice"
    behind: bool
    negated: bool


@record
class Repeat:
    """A part that may come `low` to `high` times (None: any number)."""

    part: "Part"
    low: int
    high: int | None
    lazy: bool


Part = Char | Dot | ClassEscape | Property | Class | Anchor | Back | Group | Look | Repeat


@record
class Choice:
    """Alternatives, each a sequence of parts."""

    options: tuple[tuple[Part, ...], ...]


@record
class Tree:
    """A whole expression.

    Attributes:
        groups: How many groups capture.
        numbers: The numbers of the groups with a name; two may share one.
        depth: How deep groups are nested.
        looks: Whether it has a lookahead or lookbehind.
    """

    body: Choice
    groups: int = 0
    numbers: dict[str, int] = field(default_factory=dict)
    depth: int = 0
    looks: bool = False


GENERAL_CATEGORIES = {
    # Source: ECMA-262, table of values of General_Category; long names, and the short ones of
    # unicodedata.category (a group of categories is the first letter).
    "Cased_Letter": "LC", "Close_Punctuation": "Pe", "Connector_Punctuation": "Pc",
    "Control": "Cc", "Currency_Symbol": "Sc", "Dash_Punctuation": "Pd", "Decimal_Number": "Nd",
    "Enclosing_Mark": "Me", "Final_Punctuation": "Pf", "Format": "Cf", "Initial_Punctuation": "Pi",
    "Letter": "L", "Letter_Number": "Nl", "Line_Separator": "Zl", "Lowercase_Letter": "Ll",
    "Mark": "M", "Math_Symbol": "Sm", "Modifier_Letter": "Lm", "Modifier_Symbol": "Sk",
    "Nonspacing_Mark": "Mn", "Number": "N", "Open_Punctuation": "Ps", "Other": "C",
    "Other_Letter": "Lo", "Other_Number": "No", "Other_Punctuation": "Po", "Other_Symbol": "So",
    "Paragraph_Separator": "Zp", "Private_Use": "Co", "Punctuation": "P", "Separator": "Z",
    "Space_Separator": "Zs", "Spacing_Mark": "Mc", "Surrogate": "Cs", "Symbol": "S",
    "Titlecase_Letter": "Lt", "Unassigned": "Cn", "Uppercase_Letter": "Lu",
    "Combining_Mark": "M", "cntrl": "Cc", "digit": "Nd", "punct": "P",
}  # fmt: skip

BINARY_PROPERTIES = frozenset(
    # Source: ECMA-262, table of binary Unicode properties, with their aliases.
    [
        "ASCII",
        "AHex",
        "ASCII_Hex_Digit",
        "Alpha",
        "Alphabetic",
        "Any",
        "Assigned",
        "Bidi_C",
        "Bidi_Control",
        "Bidi_M",
        "Bidi_Mirrored",
        "CI",
        "Case_Ignorable",
        "Cased",
        "CWCF",
        "Changes_When_Casefolded",
        "CWCM",
        "Changes_When_Casemapped",
        "CWL",
        "Changes_When_Lowercased",
        "CWKCF",
        "Changes_When_NFKC_Casefolded",
        "CWT",
        "Changes_When_Titlecased",
        "CWU",
        "Changes_When_Uppercased",
        "Dash",
        "DI",
        "Default_Ignorable_Code_Point",
        "Dep",
        "Deprecated",
        "Dia",
        "Diacritic",
        "Emoji",
        "EComp",
        "Emoji_Component",
        "EMod",
        "Emoji_Modifier",
        "EBase",
        "Emoji_Modifier_Base",
        "EPres",
        "Emoji_Presentation",
        "ExtPict",
        "Extended_Pictographic",
        "Ext",
        "Extender",
        "Gr_Base",
        "Grapheme_Base",
        "Gr_Ext",
        "Grapheme_Extend",
        "Hex",
        "Hex_Digit",
        "IDSB",
        "IDS_Binary_Operator",
        "IDST",
        "IDS_Trinary_Operator",
        "IDC",
        "ID_Continue",
        "IDS",
        "ID_Start",
        "Ideo",
        "Ideographic",
        "Join_C",
        "Join_Control",
        "LOE",
        "Logical_Order_Exception",
        "Lower",
        "Lowercase",
        "Math",
        "NChar",
        "Noncharacter_Code_Point",
        "Pat_Syn",
        "Pattern_Syntax",
        "Pat_WS",
        "Pattern_White_Space",
        "QMark",
        "Quotation_Mark",
        "Radical",
        "RI",
        "Regional_Indicator",
        "STerm",
        "Sentence_Terminal",
        "SD",
        "Soft_Dotted",
        "Term",
        "Terminal_Punctuation",
        "UIdeo",
        "Unified_Ideograph",
        "Upper",
        "Uppercase",
        "VS",
        "Variation_Selector",
        "White_Space",
        "space",
        "XIDC",
        "XID_Continue",
        "XIDS",
        "XID_Start",
    ]
)
