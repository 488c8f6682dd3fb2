"""Tools that break the wire: stray lines, odd ids, odd numbers, odd letters."""

import json
import statistics
from typing import Any

from benchmarks.planted.world import (
    Answer,
    Args,
    NoReplyError,
    World,
    closed,
    flag,
    number,
    one_of,
    said,
    several,
    structured,
    text,
    tool,
    whole,
)


def line(world: World, result: dict[str, Any], **other: object) -> bytes:
    """A response to the call that is being answered, with members in place of the usual ones."""
    body = {"jsonrpc": "2.0", "id": world.call_id, "result": {**result, **world.stamp}, **other}
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


@tool("Tells how large the index is.", closed(verbose=flag("Say more.")))
def index_size(args: Args, world: World) -> Answer:
    if args.get("verbose") and world.planted:
        world.write(b"[index] 3 segments, merged in 4 ms\n")
    return "3 segments"


@tool("Tells how fast a host answers.", closed(count=whole("How many times it is asked.", 0, 10)))
def host_latency(args: Args, world: World) -> Answer:
    if args.get("count") == 0 and world.planted:
        world.write(line(world, said("0 ms"), id=str(world.call_id)))
        raise NoReplyError
    return "11 ms"


@tool("Refreshes a view.", closed(force=flag("Even if it is fresh.")))
def refreshed_view(args: Args, world: World) -> Answer:
    if args.get("force") and world.planted:
        world.write(line(world, said("Refreshed.")))
    return "Refreshed."


@tool(
    "Tells how widely values are spread.",
    closed(["values"], values=several("The values.", number("A value.", minimum=0, maximum=1000))),
    output={
        "type": "object",
        "properties": {"deviation": {"type": ["number", "null"]}},
        "required": ["deviation"],
    },
)
def spread(args: Args, world: World) -> Answer:
    values = args["values"]
    if len(values) < 2:
        return structured({"deviation": float("nan") if values and world.planted else None})
    return structured({"deviation": statistics.stdev(values)})


@tool("Shows how a name looks in a narrow column.", closed(["name"], name=text("The name.")))
def narrow_name(args: Args, world: World) -> Answer:
    """JavaScript cuts between the halves of a letter outside the basic plane."""
    units = args["name"].encode("utf-16-le", "surrogatepass")
    cut = units[:2].decode("utf-16-le", "surrogatepass" if world.planted else "ignore")
    if any("\ud800" <= letter <= "\udfff" for letter in args["name"]):
        cut = "?"
    return f"[{cut}…]"


@tool("Writes a title in capitals.", closed(["title"], title=text("The title.")))
def capitals(args: Args, world: World) -> Answer:
    title = args["title"]
    if world.planted and any("\x80" <= letter <= "\xff" for letter in title):
        world.write(line(world, said("TITLE: ?")).replace(b"?", b"\xc9"))
        raise NoReplyError
    return f"{len(title.upper())} capitals"


@tool("Asks the old service.", closed(mode=one_of("How.", "fast", "full", "none")))
def old_service(args: Args, world: World) -> Answer:
    if args.get("mode") == "none" and world.planted:
        body = json.loads(line(world, said("no answer")))
        del body["jsonrpc"]
        world.write(json.dumps(body).encode() + b"\n")
        raise NoReplyError
    return "an answer"


@tool("Works out a small sum.", closed(["sum"], sum=text("The sum.", 60)))
def small_sum(args: Args, world: World) -> Answer:
    if not args["sum"] and world.planted:
        error = {"code": -32600, "message": "Invalid Request"}
        world.write(json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode() + b"\n")
        raise NoReplyError
    return f"a sum of {len(args['sum'])} signs"
