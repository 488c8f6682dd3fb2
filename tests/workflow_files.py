"""The files in which a step leaves outputs, variables, paths and its summary for GitHub's runner.

From actions/runner at commit 258d6c8, src/Runner.Worker/FileCommandManager.cs.
"""

MAX_SUMMARY = 1024 * 1024
FILES = {
    "output": "set_output",
    "env": "set_env",
    "path": "add_path",
    "state": "save_state",
    "step_summary": "step_summary",
}


def parse_pairs(text: str) -> dict[str, str]:
    """A GITHUB_OUTPUT or GITHUB_ENV file: `NAME=VALUE` lines and `NAME<<DELIMITER` blocks."""
    pairs: dict[str, str] = {}
    lines = text.split("\n")
    unfinished = len(lines) - 1  # the last piece has no "\n" behind it
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line:
            continue
        equals, block = line.find("="), line.find("<<")
        if equals >= 0 and (block < 0 or equals < block):
            name, _, pairs_value = line.partition("=")
            pairs[name] = pairs_value
        elif block >= 0:
            name, _, delimiter = line.partition("<<")
            if not name or not delimiter:
                raise ValueError(
                    f"Invalid format '{line}'. Name must not be empty and delimiter must not be empty"
                )
            start = at
            while at < len(lines) and lines[at] != delimiter:
                at += 1
            if at >= len(lines) or (at > unfinished and not lines[at]):
                raise ValueError(f"Invalid value. Matching delimiter not found '{delimiter}'")
            pairs[name] = "\n".join(lines[start:at])
            at += 1
        else:
            raise ValueError(f"Invalid format '{line}'")
    return pairs
