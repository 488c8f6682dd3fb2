"""Tools that are right, though they look as if they were not: a finding on one of these is false."""

import base64
import random
import sys
import time
from collections import OrderedDict
from typing import Any

from benchmarks.planted.answering import PIXEL
from benchmarks.planted.crashing import TREE
from benchmarks.planted.world import (
    ADDS,
    Answer,
    Args,
    CallError,
    RpcError,
    Schema,
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

GUIDE = """Troubleshooting.

When the server says so little that it does not help, start it with --trace and look for the cause
in its log, not in its answer. Most reports that reach us are about one of three causes: a file that
is not there, a port that is taken, or a clock that is wrong. What follows is an example of the first
of them, as it stands in the log of an older release, shortened, with the names of folders changed.

Traceback (most recent call last):
  File "/opt/app/main.py", line 12, in <module>
    main()
  File "/opt/app/main.py", line 7, in main
    open("settings.ini")
FileNotFoundError: [Errno 2] No such file or directory: 'settings.ini'

Put the file there and start it again. If you see 'TypeError: x is not a function' in a browser, then
the page is older than the server.
"""

SETTINGS = """# Copy this file to .env and fill it in.
API_KEY=your-api-key-here
DATABASE_URL=postgresql://user:password@localhost:5432/app
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
"""


@tool("Returns the text unchanged.", closed(["text"], text=text("Any text.", None)))
def echo_text(args: Args, world: World) -> Answer:
    """Whatever stands in the answer stood in the question: paths, traces, half letters."""
    return str(args["text"])


@tool("Throws dice.", closed(dice=whole("How many.", 1, 6)))
def throw_dice(args: Args, world: World) -> Answer:
    return str([random.randint(1, 6) for _ in range(int(args.get("dice", 1)))])


@tool("Tells the time.", closed())
def current_time(args: Args, world: World) -> Answer:
    return time.strftime("%H:%M:%S ") + str(time.time_ns())


@tool(
    "Searches a catalogue that is loaded with the first search.", closed(["word"], word=text("It."))
)
def search_catalogue(args: Args, world: World) -> Answer:
    """The first call is slow."""
    if not world.kept.get("catalogue is loaded"):
        time.sleep(0.6)
        world.kept["catalogue is loaded"] = True
    return "2 entries"


@tool(
    "Renders a preview.",
    closed(frames=whole("How many.", 1, 240), quality=one_of("How well.", "draft", "final")),
)
def render_preview(args: Args, world: World) -> Answer:
    """Long work that says how far it is."""
    if args.get("frames") == 240 and args.get("quality") == "final" and world.progress is not None:
        for step in range(1, 5):
            time.sleep(0.3)
            world.notify("notifications/progress", progressToken=world.progress, progress=step)
    return "A preview."


@tool("Shows a note.", closed(["number"], number=whole("Its number.", 1)))
def numbered_note(args: Args, world: World) -> Answer:
    """An error of the application as a JSON-RPC error."""
    if args["number"] > 3:
        raise RpcError(-32000, "note not found")
    return "Buy bread."


@tool(
    "Filters events by whatever fields they have.",
    {"type": "object", "properties": {"kind": text("The kind.", 40)}, "required": ["kind"]},
)
def filter_events(args: Args, world: World) -> Answer:
    """Open: further keys are allowed."""
    return f"0 events, by {len(args)} fields"


@tool("Counts the entries of a menu.", TREE)
def menu_entries(args: Args, world: World) -> Answer:
    """Recursive, and without recursion."""
    count, rest = 0, [args["menu"]]
    while rest:
        entry = rest.pop()
        count += 1
        rest.extend(entry.get("entries", ()))
    return f"{count} entries"


@tool(
    "Rounds a price up to the next so many cents.", closed(["cents"], cents=whole("It.", 0, 10**6))
)
def rounded_price(args: Args, world: World) -> Answer:
    """Takes 30.0 for an integer, as JSON Schema does."""
    return str(-(-int(args["cents"]) // 5) * 5)


@tool("Gives the whole report.", closed(chapter=whole("Which chapter.", 1, 9)))
def whole_report(args: Args, world: World) -> Answer:
    """60 kB, under the limit of a result's size."""
    return "The quick brown fox jumps over the lazy dog.\n" * 1_300


_ORDER: Schema = {
    **closed(
        ["kind", "lines"],
        kind=one_of("What for.", "gift", "own"),
        lines=several(
            "What.",
            closed(
                ["code", "count"],
                code=text("Code.", None, pattern="^[A-Z]{3}-[0-9]{2,4}$"),
                count=whole("How many.", 1, 12, multipleOf=1),
            ),
            6,
            minItems=1,
            uniqueItems=True,
        ),
        card=text("Card.", 19, minLength=2),
        expiry=text("Until when.", None, format="date"),
        zip={"type": ["string", "null"], "description": "Code of the place.", "maxLength": 10},
        colours={
            "type": "array",
            "description": "Paper and ribbon.",
            "prefixItems": [{"enum": ["red", "blue"]}, {"type": "string", "maxLength": 9}],
            "items": False,
        },
        labels={
            "type": "object",
            "description": "By name.",
            "propertyNames": {"pattern": "^[a-z]+$"},
            "additionalProperties": {"type": "string", "maxLength": 20},
        },
    ),
    "dependentRequired": {"card": ["expiry"]},
    "if": {"properties": {"kind": {"const": "gift"}}, "required": ["kind"]},
    "then": {"required": ["colours"]},
    "else": {"not": {"required": ["colours"]}},
}


@tool("Says what an order would cost.", _ORDER)
def order_price(args: Args, world: World) -> Answer:
    """Many keywords, all enforced."""
    return f"{len(args['lines']) * 12} EUR"


@tool("Tells the weather.", closed(["city"], city=text("Where.", 60)))
def weather_now(args: Args, world: World) -> Answer:
    """Needs a network that is not there."""
    raise CallError("request failed: getaddrinfo ENOTFOUND api.weather.invalid")


@tool(
    "Lists prices of the last days, null where there was no trade.",
    closed(days=whole("How many.", 0, 9)),
    output={
        "type": "object",
        "properties": {"prices": {"type": "array", "items": {"type": ["number", "null"]}}},
        "required": ["prices"],
        "additionalProperties": False,
    },
)
def daily_prices(args: Args, world: World) -> Answer:
    return structured(
        {"prices": [None if day % 3 else 4.5 for day in range(int(args.get("days", 2)))]}
    )


@tool("Shows a thumbnail.", closed(["name"], name=one_of("Of what.", "sea", "wood")))
def thumbnail(args: Args, world: World) -> Answer:
    return {
        "content": [
            {"type": "text", "text": f"The {args['name']}."},
            {"type": "image", "data": base64.b64encode(PIXEL).decode(), "mimeType": "image/png"},
            {
                "type": "resource",
                "resource": {"uri": "memo:///1", "mimeType": "text/plain", "text": ""},
            },
        ],
        "isError": False,
    }


NOTE_ID = text("Id of the note.", 40)


@tool(
    "Keeps a note.",
    closed(["words"], words=text("The note.", 100)),
    hints=ADDS,
    output={
        "type": "object",
        "properties": {"note_id": {"type": "string"}},
        "required": ["note_id"],
    },
)
def keep_note(args: Args, world: World) -> Answer:
    world.kept["last note"] = world.kept.get("last note", 0) + 1
    note = f"note-{world.kept['last note']}"
    world.recall("notes")[note] = len(args["words"])
    return structured({"note_id": note}, f"Kept as {note}.")


@tool("Shows a kept note.", closed(["note_id"], note_id=NOTE_ID))
def kept_note(args: Args, world: World) -> Answer:
    notes = world.recall("notes")
    if args["note_id"] not in notes:
        raise CallError("There is no such note.")
    return f"{notes[args['note_id']]} characters"


@tool("Puts a kept note out of sight.", closed(["note_id"], note_id=NOTE_ID), hints=ADDS)
def hide_note(args: Args, world: World) -> Answer:
    """Answers otherwise the second time, as it should."""
    if world.recall("notes").pop(args["note_id"], None) is None:
        raise CallError("There is no such note.")
    return "Hidden."


@tool("Shows an example of the settings.", closed())
def example_settings(args: Args, world: World) -> Answer:
    """Placeholders are no credentials."""
    return SETTINGS


@tool("Helps when something does not work.", closed(topic=one_of("With what.", "start", "log")))
def troubleshooting(args: Args, world: World) -> Answer:
    """A page that shows a trace is no trace."""
    return GUIDE


@tool("Opens a document of the folder.", closed(["path"], path=text("Below the folder.", 200)))
def open_document(args: Args, world: World) -> Answer:
    """Names the path that it refuses."""
    if ".." in args["path"] or args["path"].startswith("/"):
        raise CallError(f"Access denied: {args['path']} is outside of the folder")
    return "(a document)"


@tool("Looks up an address.", closed(["place"], place=text("Where.", 200)))
def cached_address(args: Args, world: World) -> Answer:
    """A cache with a limit: it grows, and stops."""
    cache: OrderedDict[str, bytes] = world.recall("addresses", OrderedDict)
    cache[args["place"]] = bytes(32_768).replace(b"\0", b"a")
    if len(cache) > 24:
        cache.popitem(last=False)
    return "1 Main Street"


@tool("Counts the vowels of a text.", closed(["text"], text=text("It.", None)))
def vowels(args: Args, world: World) -> Answer:
    """Slow, but in proportion."""
    return f"{sum(sum(map(letter.count, 'aeiou')) for letter in args['text']) % 2} left over"


@tool(
    "Tells how many times it was asked.",
    closed(),
    hints={"readOnlyHint": False, "destructiveHint": False},
)
def times_asked(args: Args, world: World) -> Answer:
    """Another answer each time, and it never said that it only reads."""
    world.kept["asked"] = world.kept.get("asked", 0) + 1
    return str(world.kept["asked"])


@tool(
    "Searches the archive.",
    closed(
        words={"type": ["string", "null"], "description": "What for.", "maxLength": 60},
        exact=flag("Only these very words."),
        near=number("How near, from 0 to 1.", minimum=0, maximum=1),
    ),
)
def search_archive(args: Args, world: World) -> Answer:
    return "Nothing." if args.get("words") is None else "One box."


@tool("Picks an emoji for a mood.", closed(["mood"], mood=one_of("Which.", "glad", "sad")))
def mood_emoji(args: Args, world: World) -> Answer:
    """Letters outside the basic plane as pairs of escapes, which is right."""
    return {"glad": "\U0001f600", "sad": "\U0001f622"}[args["mood"]]


@tool("Lists the rooms.", closed(floor=whole("On which floor.", -2, 40)))
def rooms(args: Args, world: World) -> Answer:
    """Says much on stderr, which nobody may take for a fault, nor leave unread."""
    sys.stderr.write("DEBUG rooms: Traceback of the cache: no error, 0 failures\n" * 20)
    return "No rooms."


@tool("Tells what went wrong lately.", closed())
def recent_failures(args: Args, world: World) -> Answer:
    """Words of failure that are the answer."""
    found: dict[str, Any] = {"failures": 0, "errors": [], "lastError": None}
    return said(f"Errors: {found['failures']}, failed jobs: none")
