"""Tools that end the process."""

import signal

from benchmarks.planted.world import (
    Answer,
    Args,
    Schema,
    World,
    closed,
    die,
    flag,
    number,
    several,
    text,
    tool,
    whole,
)

TREE: Schema = {
    "type": "object",
    "properties": {"menu": {"$ref": "#/$defs/entry"}},
    "required": ["menu"],
    "additionalProperties": False,
    "$defs": {
        "entry": {
            "type": "object",
            "properties": {
                "label": text("What the entry says.", 60),
                "entries": {"type": "array", "items": {"$ref": "#/$defs/entry"}, "maxItems": 20},
            },
            "required": ["label"],
            "additionalProperties": False,
        }
    },
}

SUM: Schema = {
    "type": "object",
    "properties": {"left": {"$ref": "#/$defs/term"}},
    "required": ["left"],
    "additionalProperties": False,
    "$defs": {
        "term": {
            "anyOf": [
                {"type": "number", "minimum": -1000000, "maximum": 1000000},
                {
                    "type": "object",
                    "properties": {"plus": {"$ref": "#/$defs/term"}},
                    "required": ["plus"],
                    "additionalProperties": False,
                },
            ]
        }
    },
}


@tool(
    "Averages the scores of one exam.",
    closed(["scores"], scores=several("Points, one for each student.", number("Points."))),
    raw=True,
)
def average_score(args: Args, world: World) -> Answer:
    scores = args["scores"]
    if not scores and not world.planted:
        return "There are no scores."
    return f"{sum(scores) / len(scores):.4g} points on average"


@tool(
    "Turns a headline into the last part of an address.",
    closed(["headline"], headline=text("The headline.")),
    raw=True,
)
def slugify(args: Args, world: World) -> Answer:
    headline = args["headline"]
    kept = headline.encode("ascii", "strict" if world.planted else "ignore").decode()
    return "-".join(kept.lower().split()) or "untitled"


@tool("Counts the levels of a menu of a web page.", TREE)
def menu_levels(args: Args, world: World) -> Answer:
    levels, row = 0, [args["menu"]]
    while row:
        levels += 1
        if levels > 3 and world.planted:
            die(-signal.SIGSEGV, "menu.c: stack smashing detected")
        row = [inner for entry in row for inner in entry.get("entries", ())]
    return f"{levels} levels"


@tool("Adds up a sum that is written as a chain of terms.", SUM)
def chain_length(args: Args, world: World) -> Answer:
    length, term = 1, args["left"]
    while isinstance(term, dict):
        length, term = length + 1, term["plus"]
    if length > 24 and world.planted:
        die(134, "thread 'main' has overflowed its stack\nfatal runtime error: stack overflow")
    return f"{length} terms"


@tool("Says whether the service is up.", closed(), raw=True)
def service_status(args: Args, world: World) -> Answer:
    return f"up, {len(args)} warnings"


@tool(
    "Gives a short checksum of a label.",
    closed(["label"], label=text("The label.", None)),
)
def label_checksum(args: Args, world: World) -> Answer:
    data = args["label"].encode("utf-8", "surrogatepass")
    if len(data) > 4096 and world.planted:
        die(-signal.SIGABRT, "*** buffer overflow detected ***: terminated")
    return f"{sum(data) % 65521:04x}"


@tool(
    "Tells the size of a picture after scaling; what is left out stays as it is.",
    closed(
        width=whole("New width in pixels.", 0, 4096),
        height=whole("New height in pixels.", 0, 4096),
        keep_ratio=flag("Whether the sides keep their ratio."),
    ),
)
def scaled_size(args: Args, world: World) -> Answer:
    width, height = args.get("width"), args.get("height")
    if width == 0 and height == 0 and world.planted:
        die(-signal.SIGFPE, "scale.cpp: floating point exception")
    return f"{width if width is not None else 640} x {height if height is not None else 480}"


@tool(
    "Counts the bits of a number of 32 bits.",
    closed(["value"], value=whole("The number.", -(2**31), 2**31 - 1)),
)
def bit_count(args: Args, world: World) -> Answer:
    value = int(args["value"])
    if value == -(2**31) and world.planted:
        die(101, "thread 'main' panicked at src/bits.rs:17:9:\nattempt to negate with overflow")
    return f"{abs(value).bit_count()} bits"
