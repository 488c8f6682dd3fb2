"""Tools of other servers, to put among those under test: what a model sees in an agent with many."""

from typing import Any


def _tool(name: str, description: str, **properties: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": {
                key: {"type": "string", "description": text} for key, text in properties.items()
            },
            "required": list(properties)[:1],
        },
    }


DISTRACTORS = (
    _tool(
        "web_search", "Searches the web and returns titles and links.", query="What to look for."
    ),
    _tool("read_file", "Returns the text of a file of the workspace.", path="Path of the file."),
    _tool(
        "send_email",
        "Sends an e-mail to one recipient.",
        to="Address of the recipient.",
        subject="Subject line.",
        body="Text of the message.",
    ),
    _tool(
        "create_event",
        "Adds an event to the calendar.",
        title="What it is called.",
        start="When it begins, ISO 8601.",
    ),
    _tool("run_query", "Runs a read-only SQL query on the warehouse.", sql="One SELECT statement."),
    _tool("translate_text", "Translates a text.", text="The text.", language="Target language."),
    _tool("get_stock_price", "Returns the last price of a share.", symbol="Ticker symbol."),
    _tool("list_issues", "Lists the open issues of a repository.", repository="owner/name."),
    _tool("get_directions", "Returns a route between two places.", start="From.", end="To."),
    _tool(
        "convert_currency", "Converts an amount of money.", amount="How much.", to="Currency code."
    ),
    _tool("define_word", "Returns the dictionary entry of a word.", word="The word."),
    _tool("summarize_page", "Returns a summary of a web page.", url="Address of the page."),
    _tool("set_reminder", "Reminds the user at a time.", text="Of what.", at="When, ISO 8601."),
    _tool("play_music", "Plays a song or a playlist.", title="What to play."),
    _tool("look_up_contact", "Finds a person in the address book.", person="Their name."),
    _tool("take_screenshot", "Returns a picture of a web page.", url="Address of the page."),
    _tool(
        "resize_image", "Returns a picture in another size.", path="The picture.", width="Pixels."
    ),
    _tool("track_parcel", "Tells where a parcel is.", number="Tracking number."),
    _tool("book_table", "Reserves a table in a restaurant.", restaurant="Name.", time="When."),
    _tool("random_number", "Returns a random whole number.", maximum="The greatest that may come."),
)
