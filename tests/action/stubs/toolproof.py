"""A command that says how it was called: as JSON in STUB_FOLDER/called, then ends as it is told.

STUB_STATUS is its status, or a signal's name; STUB_OUTPUT is appended to GITHUB_OUTPUT, and
STUB_SUMMARY to GITHUB_STEP_SUMMARY; with STUB_WAIT it goes on until a signal comes.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path


def main() -> int:
    folder = Path(os.environ["STUB_FOLDER"])
    told = {"arguments": sys.argv[1:], "environment": dict(os.environ), "folder": str(Path.cwd())}
    (folder / "called").write_text(json.dumps(told))
    for name, variable in (
        ("STUB_OUTPUT", "GITHUB_OUTPUT"),
        ("STUB_SUMMARY", "GITHUB_STEP_SUMMARY"),
    ):
        if os.environ.get(name):
            with Path(os.environ[variable]).open("a", encoding="utf-8") as file:
                file.write(os.environ[name])
    if os.environ.get("STUB_WAIT"):
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda got, _: sys.exit(128 + got))
        (folder / "waiting").touch()
        time.sleep(30)
    status = os.environ.get("STUB_STATUS", "0")
    if not status.isdigit():
        os.kill(os.getpid(), signal.Signals[status])
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
