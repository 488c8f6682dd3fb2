"""The demo's MCP server over stdio: a bookshop with honest and faulty tools. Standard library only.

The faults are planted, one in each tool that says so in a comment; they are of the kinds that real
servers have. It speaks every revision that opens with `initialize`.
"""

import json
import os
import re
import sys
import time
from collections.abc import Callable
from typing import Any

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
BOOKS = {
    "b-1": {"id": "b-1", "title": "The Left Hand of Darkness", "author": "Le Guin", "stock": 3},
    "b-2": {"id": "b-2", "title": "Gödel, Escher, Bach", "author": "Hofstadter", "stock": 0},
    "b-3": {"id": "b-3", "title": "The Mythical Man-Month", "author": "Brooks", "stock": 12},
}
BOOK_ID = {
    "type": "string",
    "description": "The id of a book, as search_books gives it.",
    "pattern": "^b-[0-9]+$",
    "maxLength": 20,
}
BOOK = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "title": {"type": "string"},
        "author": {"type": "string"},
        "stock": {"type": "integer", "minimum": 0},
    },
    "required": ["id", "title", "author", "stock"],
    "additionalProperties": False,
}


class Refused(Exception):  # noqa: N818 - said to the model as an error result, not raised at anyone
    """What a tool says when it cannot do what it was asked."""


def tool(name: str, description: str | None, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    """One entry of the tool list."""
    entry: dict[str, Any] = {"name": name}
    if description is not None:
        entry["description"] = description
    entry["inputSchema"] = {"type": "object", "additionalProperties": False, **schema}
    entry["annotations"] = {"readOnlyHint": True}
    return {**entry, **more}


TOOLS = [
    tool(
        "search_books",
        "Finds books whose title or author contains the given words. Returns one line per book.",
        {
            "properties": {
                "words": {
                    "type": "string",
                    "description": "Part of a title or of an author's name.",
                    "minLength": 1,
                    "maxLength": 100,
                }
            },
            "required": ["words"],
        },
    ),
    tool(
        "get_book",
        "Returns everything the shop knows of one book, its stock included.",
        {"properties": {"id": BOOK_ID}, "required": ["id"]},
        outputSchema=BOOK,
    ),
    # Planted: no description, so a model can only guess.
    tool(
        "book_price",
        None,
        {"properties": {"id": BOOK_ID}, "required": ["id"]},
    ),
    # Planted: `required` names a field that the schema does not declare.
    tool(
        "list_orders",
        "Lists the open orders of a customer, the newest first.",
        {
            "properties": {
                "limit": {
                    "type": "integer",
                    "description": "How many to list.",
                    "minimum": 1,
                    "maximum": 50,
                }
            },
            "required": ["customer_id"],
        },
    ),
    # Planted: its result does not fit its own outputSchema.
    tool(
        "stock_level",
        "Tells how many copies of a book are on the shelf.",
        {"properties": {"id": BOOK_ID}, "required": ["id"]},
        outputSchema={
            "type": "object",
            "properties": {"copies": {"type": "integer"}},
            "required": ["copies"],
        },
    ),
    # Planted: an array without items, which some clients refuse; and a log line on stdout.
    tool(
        "quote_order",
        "Works out what an order of several books costs, shipping included.",
        {
            "properties": {
                "ids": {"type": "array", "description": "Ids of books.", "maxItems": 20},
                "country": {
                    "type": "string",
                    "description": "Two-letter country code to ship to.",
                    "enum": ["DE", "NO", "US"],
                },
            },
            "required": ["ids", "country"],
        },
    ),
    # Planted: dies of a discount of 100.
    tool(
        "price_before_discount",
        "Works out what a book cost before a discount of so many percent.",
        {
            "properties": {
                "price": {
                    "type": "number",
                    "description": "Today's price.",
                    "minimum": 0,
                    "maximum": 1000,
                },
                "discount": {
                    "type": "integer",
                    "description": "Discount in percent.",
                    "minimum": 0,
                    "maximum": 100,
                },
            },
            "required": ["price", "discount"],
        },
    ),
    # Planted: tells an error as if it were a result.
    tool(
        "find_isbn",
        "Finds the ISBN of a book by its exact title.",
        {
            "properties": {
                "title": {"type": "string", "description": "The exact title.", "maxLength": 200}
            },
            "required": ["title"],
        },
    ),
    # Planted: never answers for a shelf mark with a blank in it.
    tool(
        "locate_shelf",
        "Tells where in the shop a shelf mark is.",
        {
            "properties": {
                "mark": {
                    "type": "string",
                    "description": "A shelf mark such as A12.",
                    "maxLength": 10,
                }
            },
            "required": ["mark"],
        },
    ),
]


def search_books(words: str) -> str:
    """Honest."""
    needle = words.casefold()
    found = [
        f"{book['id']}: {book['title']} ({book['author']})"
        for book in BOOKS.values()
        if needle in f"{book['title']} {book['author']}".casefold()
    ]
    return "\n".join(found) or "no book has these words in its title or author"


def get_book(id: str) -> dict[str, Any]:  # noqa: A002 - the argument's name in the schema
    """Honest."""
    if id not in BOOKS:
        raise Refused(f"there is no book {id!r}")
    return BOOKS[id]


def book_price(id: str) -> str:  # noqa: A002
    """Honest, but for its missing description."""
    return f"{9 + int(get_book(id)['id'][2:])}.90 EUR"


def list_orders(limit: int = 10, customer_id: str = "") -> str:
    """Nobody can call it: what it needs is not in its schema."""
    if not customer_id:
        raise Refused("customer_id is missing")
    return f"{customer_id} has no open orders (at most {limit} are listed)"


def stock_level(id: str) -> dict[str, Any]:  # noqa: A002
    """Says the number as a string, under another name."""
    return {"level": str(get_book(id)["stock"])}


def quote_order(ids: list[Any], country: str) -> str:
    """Honest, but it logs to stdout, where only messages belong."""
    if unknown := [one for one in ids if not isinstance(one, str) or one not in BOOKS]:
        raise Refused(f"there is no book {unknown[0]!r}")
    sys.stdout.write(f"INFO quoting {len(ids)} books to {country}\n")
    return f"{len(ids) * 10 + 4}.90 EUR"


def price_before_discount(price: float, discount: int) -> str:
    """Divides by zero, and does not catch it."""
    try:
        return f"{price / (1 - discount / 100):.2f} EUR"
    except ZeroDivisionError:
        sys.stderr.write("ZeroDivisionError: division by zero\n")
        sys.stderr.flush()
        os._exit(1)


def find_isbn(title: str) -> str:
    """Looks like a success to every client."""
    known = {"Gödel, Escher, Bach": "978-0-465-02656-2"}
    return known.get(title) or f"Error: no book is called {title!r}"


def locate_shelf(mark: str) -> str:
    """Waits for ever where it should refuse."""
    if " " in mark:
        time.sleep(3600)
    if not mark:
        raise Refused("the mark is empty")
    return f"{mark} is on floor {len(mark) % 3}"


CALLS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        search_books,
        get_book,
        book_price,
        list_orders,
        stock_level,
        quote_order,
        price_before_discount,
        find_isbn,
        locate_shelf,
    )
}
_KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "array": list,
}


def check(arguments: dict[str, Any], schema: dict[str, Any]) -> None:
    """Refuse what the schema does not allow."""
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name in properties and name not in arguments:
            raise Refused(f"{name} is missing")
    for name, value in arguments.items():
        if name not in properties:
            raise Refused(f"there is no argument {name!r}")
        arguments[name] = checked(name, value, properties[name])


def checked(name: str, value: Any, wanted: dict[str, Any]) -> Any:
    """The value, 30.0 as the integer that it is in JSON Schema."""
    if wanted["type"] == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, _KINDS[wanted["type"]]):
        raise Refused(f"{name} must be of type {wanted['type']}")
    if "enum" in wanted and value not in wanted["enum"]:
        raise Refused(f"{name} must be one of {', '.join(wanted['enum'])}")
    if isinstance(value, str | list):
        least, most = (
            wanted.get("minLength", 0),
            wanted.get("maxLength", wanted.get("maxItems", 99)),
        )
        if not least <= len(value) <= most:
            raise Refused(f"{name} must have {least} to {most} elements")
        if "pattern" in wanted and not re.fullmatch(wanted["pattern"].strip("^$"), str(value)):
            raise Refused(f"{name} must match {wanted['pattern']}")
    elif not wanted.get("minimum", value) <= value <= wanted.get("maximum", value):
        raise Refused(f"{name} is out of range")
    return value


def call(params: dict[str, Any]) -> dict[str, Any]:
    """The result of tools/call."""
    [schema] = [t["inputSchema"] for t in TOOLS if t["name"] == params.get("name")] or [None]
    arguments = params.get("arguments", {})
    if schema is None or not isinstance(arguments, dict):
        raise LookupError(
            f"there is no tool {params.get('name')!r}, or its arguments are no object"
        )
    try:
        check(arguments, schema)
        result = CALLS[params["name"]](**arguments)
    except Refused as refused:
        return {"content": [{"type": "text", "text": str(refused)}], "isError": True}
    if isinstance(result, str):
        return {"content": [{"type": "text", "text": result}]}
    text = json.dumps(result, ensure_ascii=False)
    return {"content": [{"type": "text", "text": text}], "structuredContent": result}


class UnknownMethodError(Exception):
    """A method that the server does not have."""


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of one request.

    Raises:
        LookupError: There is no such tool or cursor.
        UnknownMethodError: There is no such method.
    """
    match method:
        case "initialize":
            asked = params.get("protocolVersion")
            return {
                "protocolVersion": asked if asked in VERSIONS else VERSIONS[-1],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "demo-bookshop", "version": "1.0.0"},
            }
        case "tools/list" if "cursor" not in params:
            return {"tools": TOOLS}
        case "tools/call":
            return call(params)
        case "ping":
            return {}
        case "tools/list":
            raise LookupError("there is no such cursor")
        case _:
            raise UnknownMethodError(method)


def main() -> None:
    """Serve until stdin ends."""
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "id" not in message:
            continue
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            reply["result"] = answer(message["method"], message.get("params") or {})
        except LookupError as error:
            reply["error"] = {"code": -32602, "message": str(error)}
        except UnknownMethodError as error:
            reply["error"] = {"code": -32601, "message": f"there is no method {error}"}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
