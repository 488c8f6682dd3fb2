"""Tools that take what their schema forbids: each lacks one check."""

from collections.abc import Callable
from typing import Any

from benchmarks.planted.world import (
    READS,
    TOOLS,
    Answer,
    Args,
    Schema,
    Tool,
    World,
    closed,
    flag,
    less,
    number,
    one_of,
    several,
    text,
    tool,
    whole,
)

DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def lax(
    name: str,
    description: str,
    schema: Schema,
    enforced: Schema,
    words: Callable[[Args], str] = lambda args: f"Done, with {len(args)} fields.",
) -> None:
    """A tool that enforces another schema than it shows."""

    def run(args: Args, world: World) -> Answer:
        return words(args)

    TOOLS[name] = Tool(name, description, schema, run, enforced=enforced, hints=READS)


def _lax_field(
    name: str, description: str, field: Schema, *dropped: str, required: bool = True, **put: Any
) -> None:
    """One field that lacks one keyword, or has others in its place."""
    schema = closed(["value"] if required else [], value=field)
    lax(name, description, schema, less(schema, "properties", "value", *dropped, **put))


_DESK = closed(["people", "day"], people=whole("How many.", 1, 8), day=text("When.", 20))
lax(
    "free_desks",
    "Counts the desks that are free.",
    _DESK,
    less(_DESK, "required", required=["day"]),
    lambda args: f"3 desks for {args.get('people')} people",
)

_lax_field(
    "room_temperature",
    "Tells how warm a room is.",
    whole("Number of the room.", 1, 99),
    "type",
    type=["integer", "string"],
)
_lax_field(
    "parcel_state",
    "Tells where a parcel is.",
    text("Its number.", 20),
    "type",
    type=["string", "null"],
)
_lax_field(
    "exchange_rate",
    "Tells the rate of a currency against the euro.",
    one_of("The currency.", "cad", "jpy", "nok"),
    "enum",
)
_lax_field("loan_rate", "Tells the rate of a loan.", whole("Length in years.", 1, 40), "minimum")
_lax_field(
    "discounted_price",
    "Tells the price after a discount.",
    number("Discount in per cent.", minimum=0, exclusiveMaximum=100),
    "exclusiveMaximum",
    maximum=100,
)
_lax_field("poster_line", "Sets a line of a poster.", text("The line.", 24), "maxLength")
_lax_field(
    "plate_region",
    "Tells where a car is registered.",
    text("Its plate.", None, pattern="^[A-Z]{2}[0-9]{4}$"),
    "pattern",
    pattern="^[A-Z]{2}[0-9]{4}",
)
_lax_field(
    "moon_phase",
    "Tells the phase of the moon.",
    text("The day.", None, format="date"),
    "format",
    pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
)
_lax_field(
    "trace_parcel",
    "Shows the way of a parcel.",
    text("Its number.", None, format="uuid"),
    "format",
)
_lax_field(
    "seat_block", "Finds seats side by side.", whole("How many.", 0, 50, multipleOf=5), "multipleOf"
)
_lax_field(
    "page_weight",
    "Tells how heavy so many pages are.",
    whole("How many.", 0, 5000),
    "type",
    type=["integer", "boolean"],
)
_lax_field(
    "sum_up",
    "Adds numbers up.",
    several("The numbers.", number("A number.")),
    "items",
    items={"type": ["number", "string"]},
)
_lax_field(
    "compare_plans",
    "Compares some plans.",
    several("The plans.", one_of("A plan.", "free", "team", "firm"), 3, minItems=2),
    "minItems",
)
_lax_field(
    "merge_lists",
    "Joins lists by their numbers.",
    several("The numbers.", whole("A list.", 1, 20), 10, uniqueItems=True),
    "uniqueItems",
)

_UNIT = closed(["item"], item=text("The item.", 40), urgent=flag("Whether it is urgent."))
lax("unit_price", "Tells the price of one item.", _UNIT, less(_UNIT, "additionalProperties"))

_SHIPPING = closed(
    ["weight", "address"],
    weight=number("In kilograms.", minimum=0, maximum=30),
    address=closed(["street", "zip"], street=text("Street.", 60), zip=text("Code.", 10)),
)
lax(
    "shipping_cost",
    "Tells what it costs to ship a parcel.",
    _SHIPPING,
    less(_SHIPPING, "properties", "address", "required", required=["street"]),
)

_INVOICE = closed(
    ["lines"],
    lines=several(
        "Lines of the invoice.",
        closed(["item", "count"], item=text("Item.", 40), count=whole("How many.", 1, 99)),
        20,
    ),
)
lax(
    "invoice_total",
    "Adds up an invoice.",
    _INVOICE,
    less(
        _INVOICE,
        "properties",
        "lines",
        "items",
        "properties",
        "count",
        "type",
        type=["integer", "string"],
    ),
)

_CARD = {
    **closed(card=text("Number of the card.", 19), expiry=text("When it ends.", 5)),
    "dependentRequired": {"card": ["expiry"]},
}
lax("card_fee", "Tells the fee for a card.", _CARD, less(_CARD, "dependentRequired"))

_DELIVERY = {
    **closed(
        ["method"],
        method=one_of("How.", "normal", "express"),
        slot=one_of("When.", "morning", "evening"),
    ),
    "if": {"properties": {"method": {"const": "express"}}},
    "then": {"required": ["slot"]},
}
lax("delivery_day", "Tells the day of delivery.", _DELIVERY, less(_DELIVERY, "then"))

_STORE = {
    **closed(zip=text("Code of the place.", 10), city=text("Name of the place.", 40)),
    "oneOf": [{"required": ["zip"]}, {"required": ["city"]}],
}
lax(
    "nearest_store",
    "Finds the nearest store.",
    _STORE,
    less(_STORE, "oneOf", anyOf=_STORE["oneOf"]),
)

_POINT = {
    **closed(
        ["point"],
        point={
            "type": "array",
            "description": "East and north.",
            "items": [{"type": "number"}, {"type": "number"}],
            "additionalItems": False,
        },
    ),
    "$schema": DRAFT_7,
}
lax(
    "height_above_sea",
    "Tells the height of a point.",
    _POINT,
    less(_POINT, "properties", "point", "additionalItems"),
)


@tool("Lists the currencies.", closed(), any_arguments=True)
def currencies(args: Args, world: World) -> Answer:
    return "CAD, JPY, NOK"


_STOCK = closed(["part"], part=whole("Number of the part.", 1, 9999))


@tool(
    "Tells how many of a part there are.",
    _STOCK,
    enforced=less(_STOCK, "properties", "part", "minimum"),
)
def stock_level(args: Args, world: World) -> Answer:
    """An error that is told as a success."""
    if args["part"] < 1:
        return "Error: part must be a positive number"
    return "12 in stock"
