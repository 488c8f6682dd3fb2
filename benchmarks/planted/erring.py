"""Tools that answer good input with an internal error."""

import datetime as dt
import functools
import operator

from benchmarks.planted.world import (
    Answer,
    Args,
    RpcError,
    World,
    closed,
    number,
    one_of,
    several,
    text,
    tool,
    whole,
)

EMOJI = 0x1F000


@tool(
    "Shows fields of a member's profile; all of them where none is named.",
    closed(
        ["member"],
        member=one_of("Who.", "ada", "alan", "grace"),
        fields=several("Which fields.", one_of("A field.", "name", "mail", "city"), 3),
    ),
)
def member_profile(args: Args, world: World) -> Answer:
    fields = args.get("fields", ["name", "mail", "city"])
    if not fields and world.planted:
        raise RpcError(-32603, "Internal error")
    return f"{args['member']}: {', '.join(fields)}"


@tool(
    "Converts a temperature to Celsius.",
    closed(
        ["value", "unit"],
        value=number("The temperature.", minimum=-1000, maximum=100000),
        unit=one_of("Its unit.", "C", "F", "K"),
    ),
)
def to_celsius(args: Args, world: World) -> Answer:
    value, unit = args["value"], args["unit"]
    if unit == "K" and world.planted:
        raise RpcError(500, "Internal Server Error")
    shifted = {"C": value, "F": (value - 32) / 1.8, "K": value - 273.15}[unit]
    return f"{shifted:.2f} C"


@tool(
    "Lists a page of the orders.",
    closed(page=whole("The page, from 1 on.", 1)),
)
def orders_page(args: Args, world: World) -> Answer:
    if args.get("page", 1) > 2**31 - 1 and world.planted:
        raise RpcError(-32603, "ERROR: value is out of range for type integer (SQLSTATE 22003)")
    return "No orders on this page."


@tool(
    "Gives the day after a date.",
    closed(["date"], date=text("The date.", None, format="date")),
)
def next_day(args: Args, world: World) -> Answer:
    if args["date"].startswith(("0000", "9999-12-31")) and not world.planted:
        return "beyond the calendar"
    if args["date"].startswith("0000"):
        return "0000 is before the calendar"
    day = dt.date.fromisoformat(args["date"]) + dt.timedelta(days=1)
    return day.isoformat()


@tool(
    "Cuts a text after so many characters.",
    closed(["words", "most"], words=text("The text."), most=whole("How many.", 1, 200)),
)
def shorten(args: Args, world: World) -> Answer:
    words = args["words"]
    if world.planted and any(ord(letter) >= EMOJI for letter in words):
        raise RpcError(-32603, "byte index 2 is not a char boundary")
    return f"{len(words[: int(args['most'])])} characters are kept"


@tool(
    "Counts the books that have one of the tags, or all of them.",
    closed(
        tags=several("The tags.", text("A tag.", 30), 10),
        match=one_of("Which must be there.", "any", "all"),
    ),
)
def tagged_books(args: Args, world: World) -> Answer:
    sets = [{len(tag), 1} for tag in args.get("tags", ["new"])]
    join = operator.and_ if args.get("match", "any") == "all" else operator.or_
    if not sets and (join is operator.or_ or not world.planted):
        return "All books."
    return f"{len(functools.reduce(join, sets))} books"


@tool(
    "Looks up a word in the glossary.",
    closed(["word"], word=text("The word.")),
)
def glossary(args: Args, world: World) -> Answer:
    if args["word"] in {"constructor", "toString", "__proto__"} and world.planted:
        raise RpcError(-32603, "entry.split is not a function")
    return "There is no such entry."


@tool(
    "Estimates how long a print takes.",
    closed(
        ["pages"],
        pages=whole("How many pages.", 1, 500),
        paper=one_of("Size of the paper.", "A3", "A4", "A5"),
        colour=one_of("How it is printed.", "grey", "full"),
        duplex=one_of("On which sides.", "front", "both"),
    ),
)
def print_time(args: Args, world: World) -> Answer:
    if args.get("paper") == "A3" and args.get("duplex") == "both" and world.planted:
        raise RpcError(-32603, "no profile for tray 0")
    return f"{args['pages'] * 2} s"
