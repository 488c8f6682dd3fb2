"""How long the source locator takes for a large repository, and what it finds there.

    python benchmarks/locator.py [FILES [TOOLS]]

Writes a repository of FILES source files (20,000) of 5 KB on average, in three languages, in which
TOOLS tools (800) are defined, looks for them, and prints the time, and how many were found where.
"""

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from toolproof.finish.locate import locate

_SUFFIXES = (".py", ".ts", ".go")
_WORDS = ("account", "invoice", "report", "window", "signal", "folder", "ticket", "vector", "tool")
_LINES = {
    ".py": '    {0}_{1} = self.load("{1}", name="{0}", limit={2})  # the {0} of a {1}\n',
    ".ts": "  const {0}{2} = await this.load('{1}', {{ name: '{0}', limit: {2} }}); // the {0}\n",
    ".go": '\t{0}{2}, err := c.Load(ctx, "{1}", Options{{Name: "{0}", Limit: {2}}}) // the {0}\n',
}
_DEFINITIONS = {
    ".py": '@mcp.tool()\ndef {name}(x: int) -> str:\n    """{text}"""\n    return str(x)\n\n',
    ".ts": 'server.registerTool("{name}", {{ description: "{text}", inputSchema }}, run);\n\n',
    ".go": 's.AddTool(mcp.NewTool("{name}", mcp.WithDescription("{text}")), handle)\n\n',
}


def write(root: Path, files: int, tools: int) -> dict[str, tuple[str, str, int]]:
    """A repository; for each tool its description, its file and its line."""
    chance = random.Random(7)
    defining = set(chance.sample(range(files), max(1, min(files, tools // 4))))
    places: dict[str, tuple[str, str, int]] = {}
    for number in range(files):
        suffix = _SUFFIXES[number % len(_SUFFIXES)]
        file = root / f"package{number // 200}" / f"module{number}{suffix}"
        file.parent.mkdir(parents=True, exist_ok=True)
        parts = [
            _LINES[suffix].format(chance.choice(_WORDS), chance.choice(_WORDS), line)
            for line in range(chance.randrange(10, 120))
        ]
        for _ in range(4 if number in defining and len(places) < tools else 0):
            name = f"{chance.choice(_WORDS)}_{len(places)}"
            text = f"Number {len(places)} of the tools: looks after each {chance.choice(_WORDS)}."
            line = 1 + sum(part.count("\n") for part in parts) + (suffix == ".py")
            places[name] = (text, file.relative_to(root).as_posix(), line)
            parts.append(_DEFINITIONS[suffix].format(name=name, text=text))
        file.write_text("".join(parts), encoding="utf-8")
    return places


def main(files: int = 20_000, tools: int = 800) -> None:
    """Measure, with and without git."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        places = write(root, files, tools)
        megabytes = sum(path.stat().st_size for path in root.rglob("*.*")) / 1e6
        print(f"{files} files, {megabytes:.0f} MB, {len(places)} tools")
        for way in ("walked", "tracked by git"):
            if way != "walked":
                subprocess.run(["git", "init", "-q"], cwd=root, check=True)
                subprocess.run(["git", "add", "-A"], cwd=root, check=True)
            missing = {
                f"no_{name}": ("No such " + text, "", 0) for name, (text, _, _) in places.items()
            }
            for named in (places, missing):
                began, began_cpu = time.perf_counter(), time.process_time()
                found = locate(
                    {name: text for name, (text, _, _) in named.items()}, root, budget_s=60.0
                )
                took, cpu = time.perf_counter() - began, time.process_time() - began_cpu
                right = sum(
                    (place.file, place.line) == named[name][1:] for name, place in found.items()
                )
                kind = "all defined" if named is places else "none defined"
                print(
                    f"{way}, {kind}: {took:.2f} s ({cpu:.2f} s of CPU), {right} right, {len(found) - right} elsewhere"
                )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
