"""The planted-bug server, to be started as a script: python server.py [--off] [--record FILE].

`--off`, or the variable PLANTED=off, turns every bug off. `--record` names the file to which the
tools that nobody may call without being asked write that they were called.
"""

import importlib
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    importlib.import_module("benchmarks.planted.serving").main()
