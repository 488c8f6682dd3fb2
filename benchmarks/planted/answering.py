"""Tools whose results are not what they promise, or not what the protocol asks for."""

import base64

from benchmarks.planted.world import (
    Answer,
    Args,
    Schema,
    World,
    closed,
    one_of,
    said,
    several,
    structured,
    text,
    tool,
    whole,
)

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


def output(**fields: Schema) -> Schema:
    """What a result holds: these fields, each of them, and no others."""
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


@tool(
    "Forecasts the highest temperature of the next days.",
    closed(["days"], days=whole("For how many days.", 0, 14)),
    output=output(highest={"type": "array", "items": {"type": "number"}}),
)
def highest_temperatures(args: Args, world: World) -> Answer:
    if not args["days"] and world.planted:
        return said("No days were asked for.")
    return structured({"highest": [12.5] * int(args["days"])})


@tool(
    "Counts words.",
    closed(["prose"], prose=text("The text.")),
    output=output(words={"type": "integer", "minimum": 0}),
)
def word_count(args: Args, world: World) -> Answer:
    words = len(args["prose"].split())
    return structured({"words": None if not words and world.planted else words})


@tool(
    "Tells the state of a ticket.",
    closed(["ticket"], ticket=whole("Its number.", 1, 5000)),
    output=output(state={"type": "string", "enum": ["open", "closed"]}),
)
def ticket_state(args: Args, world: World) -> Answer:
    if args["ticket"] > 4000 and world.planted:
        return structured({"state": "archived"})
    return structured({"state": "open" if args["ticket"] % 2 else "closed"})


@tool(
    "Counts the visitors of each region whose name begins like this.",
    closed(prefix=text("How it begins.", 20)),
    output=output(counts={"type": "object", "additionalProperties": {"type": "integer"}}),
)
def region_visitors(args: Args, world: World) -> Answer:
    counts = {"north": 3, "south": 5}
    found = {name: n for name, n in counts.items() if name.startswith(args.get("prefix", ""))}
    # PHP writes an empty map as an empty list.
    return structured({"counts": [] if not found and world.planted else found})


@tool("Draws a code that phones can read.", closed(["code"], code=text("What it says.", 100)))
def draw_code(args: Args, world: World) -> Answer:
    data = base64.b64encode(PIXEL + b"\0" * (len(args["code"]) % 3)).decode()
    if world.planted:
        data = data.rstrip("=")
    return {
        "content": [{"type": "image", "data": data, "mimeType": "image/png"}],
        "isError": False,
    }


@tool(
    "Draws a line through some values.",
    closed(
        ["values"],
        values=several("The values.", {"type": "number"}, 100),
        form=one_of("Form of the picture.", "png", "svg"),
    ),
)
def line_chart(args: Args, world: World) -> Answer:
    if args.get("form") == "svg" and world.planted:
        return {"content": [{"type": "svg", "data": "<svg/>"}], "isError": False}
    data = base64.b64encode(PIXEL).decode()
    return {
        "content": [{"type": "image", "data": data, "mimeType": "image/png"}],
        "isError": False,
    }


@tool(
    "Lists the last labels.",
    closed(most=whole("How many at most.", 0, 50)),
)
def last_labels(args: Args, world: World) -> Answer:
    if args.get("most") == 0 and world.planted:
        return {"content": None, "isError": False}
    return "red, green"
