"""Tools that refuse what their schema allows, and schemas that nothing can fit."""

from benchmarks.planted.world import (
    Answer,
    Args,
    RpcError,
    World,
    closed,
    failed,
    less,
    one_of,
    text,
    tool,
    whole,
)


@tool(
    "Tells when a timer that is started now will end.",
    closed(["seconds"], seconds=whole("Its length.", 1, 3600)),
)
def timer_end(args: Args, world: World) -> Answer:
    if isinstance(args["seconds"], float) and world.planted:
        raise RpcError(
            -32602, "cannot unmarshal number 30.0 into Go struct field .seconds of type int"
        )
    return f"in {int(args['seconds'])} s"


@tool(
    "Lists the last orders of a shop.",
    closed(shop=text("The shop.", 40), most=whole("How many.", 1, 100)),
)
def last_orders(args: Args, world: World) -> Answer:
    if "most" not in args and world.planted:
        return failed("Invalid arguments: most is required")
    return "No orders."


@tool(
    "Reads rows of the table of parts.",
    closed(["rows"], rows=whole("How many.", 1, 100)),
)
def part_rows(args: Args, world: World) -> Answer:
    if args["rows"] == 100 and world.planted:
        raise RpcError(-32602, "Invalid params: rows must be less than 100")
    return f"{int(args['rows'])} rows"


@tool(
    "Sorts the cities by name.",
    closed(order=one_of("In which order.", "ascending", "descending", "none")),
)
def sorted_cities(args: Args, world: World) -> Answer:
    if args.get("order") == "none" and world.planted:
        return failed("Invalid arguments: order must be one of ascending, descending")
    return "Bergen, Oslo"


SIZE = closed(["size"], size=whole("Its size.", 1, 10))
RANGE = closed(["level"], level=whole("The level.", 1, 10))


@tool(
    "Looks up a part by its size.",
    SIZE,
    shown=less(SIZE, "properties", "size", "type", type="int"),
)
def part_by_size(args: Args, world: World) -> Answer:
    return "There is no such part." if args else "All parts."


@tool(
    "Explains a level of the game.",
    RANGE,
    shown=less(RANGE, "properties", "level", "minimum", minimum=20),
    enforced=less(RANGE, "properties", "level", "minimum", minimum=20),
)
def level_help(args: Args, world: World) -> Answer:
    return "Jump." if args else "Walk."
