"""The table of tools that `toolproof inspect` shows on a terminal."""

import io
from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


def render(
    rows: Sequence[Mapping[str, str]], *, color: bool, width: int, verbose: int, ascii_only: bool
) -> str:
    """Name, arguments, tokens and what the tool says it does; nothing is cut.

    Every cell is a `Text`: rich reads no markup in those, whatever a server says.
    """
    table = Table(
        title=f"Tools ({len(rows)})",
        title_justify="left",
        box=box.ASCII if ascii_only else box.SIMPLE_HEAD,
        pad_edge=False,
        expand=False,
    )
    table.add_column("Tool", overflow="fold", min_width=12)
    table.add_column("Arguments", overflow="fold")
    table.add_column("Tokens", justify="right", no_wrap=True)
    if any(row["hints"] for row in rows):
        table.add_column("Hints", overflow="fold")
    if verbose > 0:
        table.add_column("Description", overflow="fold")
    for row in rows:
        cells = [Text(row["name"], style="bold"), Text(row["arguments"]), Text(row["tokens"])]
        if len(table.columns) > 3 + (verbose > 0):
            cells.append(Text(row["hints"], style="dim"))
        if verbose > 0:
            cells.append(Text(row["description"]))
        table.add_row(*cells)
    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        legacy_windows=False,
        _environ={},
    )
    console.print(table)
    return out.getvalue()
