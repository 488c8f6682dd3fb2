"""Tools that show an exception that nobody caught, in the dress of eight languages."""

import traceback

from benchmarks.planted.world import (
    Answer,
    Args,
    CallError,
    World,
    closed,
    failed,
    number,
    one_of,
    several,
    text,
    tool,
    whole,
)

AIRPORTS = {"OSL": "Oslo", "YYZ": "Toronto", "HND": "Tokyo"}

JAVASCRIPT = """TypeError: Cannot read properties of undefined (reading 'toUpperCase')
    at formatPrice (/app/dist/tools/price.js:88:31)
    at async Server.callTool (/app/dist/server.js:214:20)
    at async /app/node_modules/@acme/rpc/dist/protocol.js:97:17"""

GO = """panic: runtime error: index out of range [0] with length 0

goroutine 34 [running]:
main.resolve({0x0, 0x0})
\t/src/cmd/hosts/resolve.go:41 +0x1d
main.handle(0xc0000b6000)
\t/src/cmd/hosts/main.go:112 +0x85"""

JAVA = """java.lang.NumberFormatException: For input string
\tat java.base/java.lang.NumberFormatException.forInputString(NumberFormatException.java:67)
\tat java.base/java.lang.Long.parseLong(Long.java:711)
\tat com.acme.billing.Amounts.parse(Amounts.java:52)
\tat com.acme.billing.AmountTool.call(AmountTool.java:31)"""

DOTNET = """System.ArgumentOutOfRangeException: The added or subtracted value results in an \
un-representable DateTime. (Parameter 'value')
   at System.DateTime.AddYears(Int32 value)
   at Acme.Calendar.Months.Next(Int32 year) in /src/Calendar/Months.cs:line 64
   at Acme.Calendar.MonthTool.InvokeAsync(Request request) in /src/Calendar/MonthTool.cs:line 29"""

RUST = """thread 'tokio-runtime-worker' panicked at src/lines.rs:42:17:
byte index 1 is not a char boundary
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"""

PHP = """PHP Fatal error:  Uncaught TypeError: mb_strlen(): Argument #2 ($encoding) must be valid \
in /var/www/src/Length.php:19
Stack trace:
#0 /var/www/src/Length.php(19): mb_strlen()
#1 /var/www/src/Server.php(88): Acme\\Length->call()
#2 {main}
  thrown in /var/www/src/Length.php on line 19"""

RUBY = """titles.rb:12:in `block in call': undefined method `upcase' for nil:NilClass (NoMethodError)
\tfrom titles.rb:11:in `map'
\tfrom titles.rb:11:in `call'
\tfrom server.rb:77:in `dispatch'"""

NODE_JSON = (
    '{"success":false,"error":{"name":"RangeError","stack":"RangeError: Invalid array length\\n'
    "    at pad (file:///srv/app/src/pad.mjs:7:18)\\n"
    '    at handle (file:///srv/app/src/index.mjs:33:11)"}}'
)


@tool(
    "Names the city of an airport.",
    closed(["code"], code=text("Three letters.", None, pattern="^[A-Z]{3}$")),
)
def airport_city(args: Args, world: World) -> Answer:
    """Python: a dictionary without the key."""
    if not world.planted:
        return AIRPORTS.get(args["code"], "There is no such airport.")
    try:
        return AIRPORTS[args["code"]]
    except KeyError:
        return failed(traceback.format_exc())


@tool(
    "Writes a price as people write it.",
    closed(
        ["amount"],
        amount=number("The price.", minimum=0, maximum=1000000),
        currency=one_of("Its currency.", "eur", "cad", "jpy"),
    ),
)
def format_price(args: Args, world: World) -> Answer:
    if "currency" not in args and world.planted:
        return failed(JAVASCRIPT)
    return f"{args['amount']:.2f} {args.get('currency', 'eur').upper()}"


@tool("Finds the address of a host.", closed(["host"], host=text("Its name.", 253)))
def host_address(args: Args, world: World) -> Answer:
    if not args["host"] and world.planted:
        return failed(GO)
    return "192.0.2.7"


@tool("Reads an amount of money.", closed(["amount"], amount=text("The amount.", 30)))
def read_amount(args: Args, world: World) -> Answer:
    digits = args["amount"]
    if digits.isascii() and digits.isdigit():
        return f"{digits} units"
    if world.planted:
        return failed(JAVA)
    raise CallError("This is no amount.")


@tool("Counts the days of the year after a year.", closed(["year"], year=whole("A year.", 1, 9999)))
def days_next_year(args: Args, world: World) -> Answer:
    if args["year"] == 9999 and world.planted:
        return failed(DOTNET)
    year = int(args["year"]) + 1
    return "366" if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else "365"


@tool("Gives the first line of a text.", closed(["page"], page=text("The text.")))
def first_line(args: Args, world: World) -> Answer:
    if not args["page"][:40].isascii() and world.planted:
        return failed(RUST)
    return f"{len(args['page'].split(chr(10))[0])} characters"


@tool(
    "Counts the characters of a text.",
    closed(
        ["text"],
        text=text("The text."),
        encoding={"type": ["string", "null"], "description": "Its encoding.", "maxLength": 20},
    ),
)
def text_length(args: Args, world: World) -> Answer:
    """An error that is told as a success."""
    if args.get("encoding", "") is None and world.planted:
        return PHP
    return f"{len(args['text'])} characters"


@tool(
    "Writes words as a title.", closed(["words"], words=several("The words.", text("A word.", 40)))
)
def titleize(args: Args, world: World) -> Answer:
    if "" in args["words"] and world.planted:
        return failed(RUBY)
    return f"A title of {len(args['words'])} words"


@tool(
    "Pads a number with zeros.",
    closed(["value", "width"], value=whole("The number.", 0, 99), width=whole("Digits.", 0, 1000)),
)
def pad_number(args: Args, world: World) -> Answer:
    if args["width"] == 0 and world.planted:
        return NODE_JSON
    return f"{len(str(int(args['value'])).zfill(int(args['width'])))} digits"


@tool(
    "Cleans up a remark.",
    closed(["remark"], remark={"type": ["string", "null"], "description": "It.", "maxLength": 200}),
)
def clean_remark(args: Args, world: World) -> Answer:
    """As a Python SDK tells an exception of a tool."""
    if args["remark"] is None:
        if world.planted:
            return failed(
                "Error executing tool clean_remark: 'NoneType' object has no attribute 'strip'"
            )
        return "There is no remark."
    return f"{len(args['remark'].strip())} characters"
