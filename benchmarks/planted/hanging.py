"""Tools that never answer."""

import re
import time

from benchmarks.planted.world import (
    Answer,
    Args,
    CallError,
    NoReplyError,
    World,
    closed,
    text,
    tool,
    whole,
)

LOG = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"


@tool(
    "Lists every so-manieth number of a range.",
    closed(
        ["first", "last"],
        first=whole("Where the range begins.", 0, 1000),
        last=whole("Where the range ends.", 0, 1000),
        step=whole("How far one number is from the next.", 0, 100),
    ),
)
def number_range(args: Args, world: World) -> Answer:
    value, step, found = args["first"], args.get("step", 1), 0
    while value <= args["last"] and found < 1000:
        if not step:
            if not world.planted:
                return "one number"
            time.sleep(0.05)  # for ever, but without heating the room
            continue
        value, found = value + step, found + 1
    return f"{found} numbers"


@tool("Searches the notes for words.", closed(["query"], query=text("The words.")))
def search_notes(args: Args, world: World) -> Answer:
    if args["query"].count('"') % 2 and world.planted:
        raise NoReplyError  # the exception of the query's parser is lost in a task that nobody awaits
    return "No notes."


@tool(
    "Looks for lines of the log that match a regular expression.",
    closed(["pattern"], pattern=text("The expression.", 100)),
)
def grep_log(args: Args, world: World) -> Answer:
    try:
        pattern = re.compile(args["pattern"])
    except (re.error, OverflowError, RecursionError) as exc:
        raise CallError("This pattern cannot be compiled.") from exc
    line = LOG if world.planted else LOG[-10:]
    return "1 line" if pattern.search(line) else "No lines."
