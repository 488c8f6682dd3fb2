"""The server that does nothing, with so many microseconds of CPU time added to each call.

python benchmarks/work_server.py [MICROSECONDS]
"""

import importlib
import os
import sys
import time
from pathlib import Path

DEMO = Path(__file__).resolve().parents[1] / "toolproof" / "demo"


def main(work_us: float) -> None:
    """Serve until standard input ends."""
    sys.path.insert(0, str(DEMO))
    reply = importlib.import_module("noop").reply
    work_ns = round(work_us * 1000)
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if line.strip():
                end = time.thread_time_ns() + work_ns
                while time.thread_time_ns() < end:
                    pass
                out = reply(line)
                while out:
                    out = out[os.write(1, out) :]


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0.0)
