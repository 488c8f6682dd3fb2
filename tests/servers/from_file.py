"""A server that lists the tools of a JSON file, and writes down in another which of them were called."""

import json
import sys
from pathlib import Path

from tests.servers.mini import Message, serve, text

ROOT = str(Path(__file__).parents[2])


def command(path: Path) -> list[str]:
    """How to start it, from any folder."""
    program = f"import sys; sys.path.insert(0, {ROOT!r}); from tests.servers.from_file import main"
    return [sys.executable, "-c", f"{program}; main(sys.argv[1])", str(path)]


def main(path: str) -> None:
    """Serve what the file lists; a call with a `path` that is no folder is an error."""
    tools = json.loads(Path(path).read_text("utf-8"))

    def call(message: Message) -> Message:
        params = message["params"]
        with Path(f"{path}.calls").open("a", encoding="utf-8") as log:
            log.write(f"{params['name']}\n")
        if params["name"] == "noisy":
            print("calling noisy", flush=True)
        where = (params.get("arguments") or {}).get("path")
        if where is not None and not Path(where).is_dir():
            return {**text(f"no such folder: {where}"), "isError": True}
        return text("ok")

    serve({"tools/call": call}, tools=tools)
