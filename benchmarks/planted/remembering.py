"""Tools with a state: what one does shows in another."""

import traceback

from benchmarks.planted.world import (
    ADDS,
    READS,
    Answer,
    Args,
    CallError,
    RpcError,
    Tool,
    World,
    closed,
    die,
    failed,
    one_of,
    structured,
    text,
    tool,
    whole,
)

ID = text("The id that was given.", 40)


def fresh(world: World, kind: str) -> str:
    """An id that was not given before."""
    world.kept["ids"] = world.kept.get("ids", 0) + 1
    return f"{kind}-{world.kept['ids'] * 7919 % 100_003:05d}"


@tool("Tells how many tasks wait.", closed())
def waiting_tasks(args: Args, world: World) -> Answer:
    return f"{world.kept.get('tasks', 900)} tasks"


@tool("Shows the task that is next.", closed())
def next_task(args: Args, world: World) -> Answer:
    """Says that it only reads, and takes the task away."""
    if world.planted:
        world.kept["tasks"] = world.kept.get("tasks", 900) - 1
    return "Water the plants."


@tool(
    "Describes a set of tools.",
    closed(["set"], set=one_of("Which one.", "basic", "advanced")),
)
def tool_set(args: Args, world: World) -> Answer:
    """Says that it only reads, and adds a tool to the list."""
    added = world.recall("added tools", list)
    if args["set"] == "advanced" and world.planted and not added:
        added.append(
            Tool("advanced_search", "Searches with care.", closed(), lambda *_: "", hints=READS)
        )
    return f"The {args['set']} tools."


@tool(
    "Opens a cart.",
    closed(name=text("Its name.", 40)),
    hints=ADDS,
    output={
        "type": "object",
        "properties": {"cart_id": {"type": "string"}},
        "required": ["cart_id"],
    },
)
def open_cart(args: Args, world: World) -> Answer:
    cart = fresh(world, "cart")
    world.recall("carts")[cart] = "open"
    return structured({"cart_id": cart}, f"Opened {cart}.")


@tool("Closes a cart.", closed(["cart_id"], cart_id=ID), hints=ADDS)
def close_cart(args: Args, world: World) -> Answer:
    carts = world.recall("carts")
    if carts.get(args["cart_id"]) != "open":
        raise CallError("There is no such open cart.")
    carts[args["cart_id"]] = "closed"
    return "Closed."


@tool("Adds up a cart.", closed(["cart_id"], cart_id=ID))
def cart_total(args: Args, world: World) -> Answer:
    """Use after close."""
    state = world.recall("carts").get(args["cart_id"])
    if state == "closed" and world.planted:
        raise RpcError(-32603, "cart.items is null")
    if state != "open":
        raise CallError("There is no such open cart.")
    return "0 EUR"


@tool(
    "Registers another name for a page.", closed(["alias"], alias=text("The name.", 60)), hints=ADDS
)
def register_alias(args: Args, world: World) -> Answer:
    """The same name twice."""
    names = world.recall("aliases", set)
    if args["alias"] in names:
        if world.planted:
            raise RpcError(-32603, "UNIQUE constraint failed: aliases.name")
        return "It was registered already."
    names.add(args["alias"])
    return "Registered."


@tool(
    "Starts to count the words of a book.",
    closed(["book"], book=one_of("Which one.", "hunger", "dust")),
    hints=ADDS,
    output={"type": "object", "properties": {"job_id": {"type": "string"}}, "required": ["job_id"]},
)
def start_count(args: Args, world: World) -> Answer:
    job = fresh(world, "job")
    world.recall("jobs")[job] = {"book": args["book"]}
    return structured({"job_id": job}, f"Started {job}.")


@tool("Gives the words that a job has counted.", closed(["job_id"], job_id=ID))
def count_result(args: Args, world: World) -> Answer:
    """An id that another tool gave."""
    job = world.recall("jobs").get(args["job_id"])
    if job is None:
        raise CallError("There is no such job.")
    try:
        return f"{job['words'] if world.planted else 41_007} words"
    except KeyError:
        return failed(traceback.format_exc())


@tool(
    "Takes the lock of a door.",
    closed(door=whole("Its number.", 1, 3)),
    hints=ADDS,
    output={
        "type": "object",
        "properties": {"lock_id": {"type": "string"}},
        "required": ["lock_id"],
    },
)
def take_lock(args: Args, world: World) -> Answer:
    lock = fresh(world, "lock")
    world.recall("locks")[lock] = 1
    return structured({"lock_id": lock}, f"Took {lock}.")


@tool("Gives the lock of a door back.", closed(["lock_id"], lock_id=ID), hints=ADDS)
def give_lock(args: Args, world: World) -> Answer:
    """The same lock twice."""
    locks = world.recall("locks")
    if args["lock_id"] not in locks:
        raise CallError("There is no such lock.")
    locks[args["lock_id"]] -= 1
    if locks[args["lock_id"]] < 0:
        if world.planted:
            die(134, "double free or corruption (fasttop)")
        locks[args["lock_id"]] = 0
        return "It was given back before."
    return "Given back."
