"""Rule `name-charset`."""

import re
import unicodedata
from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import listed, quoted

_OTHER = re.compile(r"[^A-Za-z0-9_.-]")
_LONGEST = 128


@rule(
    check=Check.CLIENTS,
    severity=Severity.ERROR,
    title="Name has characters that are not allowed",
    fix="Rename it, with letters from A to Z, digits, '_', '-' and '.' alone.",
    source=(
        "MCP 2026-07-28 server/tools, Tool Names; NetApp/netapp-dataops-toolkit#38; "
        "github/copilot-cli#1879"
    ),
    bad=listing(sample("get weather")),
    good=listing(sample("get_weather")),
)
@each_tool
def name_charset(tool: Definition) -> Iterator[Flaw]:
    """The protocol does not allow it, and clients refuse the tool or the whole list."""
    odd = dict.fromkeys(_OTHER.findall(tool.name))
    if odd:
        suggested = _suggested(tool.name)
        told = f", for example {suggested}" if suggested else ""
        yield Flaw(
            f"the name has {listed([_shown(char) for char in odd], most=3)}, expected A-Z, a-z, "
            f"0-9, '_', '-' and '.' alone{told}",
            "/name",
            fix=f"Rename it, for example to {suggested}." if suggested else None,
        )


def _suggested(name: str) -> str:
    """The name without accents, with '_' for what is not allowed; empty where nothing is left."""
    plain = unicodedata.normalize("NFKD", name[:_LONGEST])
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    words = re.sub(r"_*[^A-Za-z0-9_.-]+_*", "_", plain).strip("_")
    return words if re.search("[A-Za-z0-9]", words) else ""


def _shown(char: str) -> str:
    """The character, and its number where it is not one of a keyboard."""
    return quoted(char) if char.isascii() and char.isprintable() else f"U+{ord(char):04X}"
