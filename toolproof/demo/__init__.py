"""A small server with honest and faulty tools, and a toolproof.yaml for it: `toolproof demo`."""

from pathlib import Path

FOLDER = Path(__file__).parent
CONFIG = FOLDER / "toolproof.yaml"
