"""Tools that cost more and more, and tools that fail now and then."""

import os

from benchmarks.planted.world import (
    Answer,
    Args,
    RpcError,
    World,
    closed,
    failed,
    one_of,
    several,
    text,
    tool,
    whole,
)

LEAK_BYTES = 65_536


@tool(
    "Finds the pair of letters that a text has most often.",
    closed(["text"], text=text("It.", None)),
)
def common_pair(args: Args, world: World) -> Answer:
    """Counts from the start for each pair; with bugs off each pair is counted once."""
    words = args["text"]
    pairs = [words[i : i + 2] for i in range(len(words) - 1)]
    if world.planted:
        most = max((words.count(pair) for pair in pairs), default=0)
    else:
        counts: dict[str, int] = {}
        for pair in pairs:
            counts[pair] = counts.get(pair, 0) + 1
        most = min(max(counts.values(), default=0), 1)
    return f"{min(most, 1)} or more times"


@tool(
    "Puts names in order.",
    closed(["names"], names=several("The names.", text("A name.", 60), None)),
)
def ordered_names(args: Args, world: World) -> Answer:
    """Sorts anew for each name that comes in."""
    names: list[str] = []
    if world.planted:
        for name in args["names"]:
            names = sorted([*names, name])
    else:
        names = sorted(args["names"])
    return f"{len(names)} names"


@tool("Looks up a term.", closed(["term"], term=text("The term.", 60)))
def term_meaning(args: Args, world: World) -> Answer:
    """Keeps every answer, under a key that never comes again."""
    if world.planted:
        world.recall("answers", list).append(bytes(LEAK_BYTES - 64).replace(b"\0", b"a"))
    return "No meaning is known."


@tool("Tells the kind of a file.", closed(["format"], format=one_of("Its ending.", "txt", "png")))
def file_kind(args: Args, world: World) -> Answer:
    """Opens a file in each call and closes none."""
    if world.planted:
        try:
            world.recall("open files", list).append(os.open(os.devnull, os.O_RDONLY))
        except OSError as exc:
            raise RpcError(-32603, f"EMFILE: too many open files, {os.devnull}") from exc
    return {"txt": "a text", "png": "a picture"}[args["format"]]


@tool("Quotes a writer.", closed(["writer"], writer=one_of("Whom.", "ibsen", "undset", "hamsun")))
def quotation(args: Args, world: World) -> Answer:
    world.kept["quoted"] = world.kept.get("quoted", 0) + 1
    if world.planted and world.kept["quoted"] % 7 == 0:
        return failed("database is locked")
    return "It is late."


@tool("Finds pages about a subject.", closed(page=whole("Which page.", 1, 20)))
def subject_pages(args: Args, world: World) -> Answer:
    """The first call of a process comes before its index is there."""
    ready = world.kept.get("index is there", False)
    world.kept["index is there"] = True
    if world.planted and not ready:
        return failed("the index is not there yet")
    return "No pages."
