"""How long all rules take over a long list of tools, and over hostile ones.

    python -m benchmarks.checks [--tools 2000] [--kilobytes 20] [--rules 15]

Prints the seconds of CPU for a plain list, the slowest rules, and the seconds for lists that a
hostile server might send.
"""

import argparse
import gc
import json
import time
from collections.abc import Callable
from typing import Any

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.rule import Evidence
from toolproof.phases.checks.rules import all_rules
from toolproof.schemas import warm_up


def tool(index: int, kilobytes: int) -> dict[str, Any]:
    """A tool as generators of servers write them, with a schema of about that size."""
    fields: dict[str, Any] = {}
    size = 0
    while size < kilobytes * 1000:
        name = f"field_{len(fields)}"
        fields[name] = {
            "type": "object",
            "description": f"What the tool {index} needs to know of {name} for its work.",
            "properties": {
                "title": {"type": "string", "maxLength": 80, "description": "A short title."},
                "kind": {"type": "string", "enum": ["plain", "rich", "raw"], "default": "plain"},
                "ids": {"type": "array", "items": {"type": "integer"}, "maxItems": 50},
                "since": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
                "code": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]+$"},
                "owner": {"$ref": "#/$defs/Owner"},
            },
            "required": ["title"],
            "additionalProperties": False,
        }
        size += len(json.dumps(fields[name]))
    return {
        "name": f"tool_{index}",
        "title": f"Tool {index}",
        "description": f"Stores record number {index} in the archive and returns its address.",
        "inputSchema": {
            "type": "object",
            "properties": fields,
            "required": ["field_0"],
            "$defs": {"Owner": {"type": "object", "properties": {"name": {"type": "string"}}}},
        },
        "annotations": {"readOnlyHint": False},
    }


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "array"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return {"name": "deep", "description": "Goes deep.", "inputSchema": schema}


def wide(megabytes: int) -> dict[str, Any]:
    inner = {"type": "object", "properties": {"a": {"type": "array"}, "b c": {"enum": ["", ""]}}}
    count = megabytes * 1_000_000 // len(json.dumps(inner))
    fields = {f"p{number}": json.loads(json.dumps(inner)) for number in range(count)}
    return {"name": "wide", "inputSchema": {"type": "object", "properties": fields}}


def referring(count: int) -> dict[str, Any]:
    defs = {
        f"n{number}": {"properties": {"a": {"$ref": f"#/$defs/n{(number + 1) % count}"}}}
        for number in range(count)
    }
    schema = {"type": "object", "properties": {"r": {"$ref": "#/$defs/n0"}}, "$defs": defs}
    return {"name": "referring", "description": "Refers on and on.", "inputSchema": schema}


HOSTILE: dict[str, Callable[[], list[Any]]] = {
    "10 MB of schemas with flaws": lambda: [wide(10)],
    "200 levels": lambda: [deep(200)],
    "100,000 levels": lambda: [deep(100_000)],
    "20,000 references in a ring": lambda: [referring(20_000)],
    "10 MB of description": lambda: [{"name": "a", "description": "word " * 2_000_000}],
    "a name of 10 MB": lambda: [{"name": "é" * 10_000_000}],
    "100,000 entries that are no tools": lambda: [None] * 100_000,
    "100,000 names that fold to one": lambda: [
        {"name": "a" + "-_."[n % 3]} for n in range(100_000)
    ],
    "100,000 values in an enum": lambda: [
        {"name": "a", "inputSchema": {"enum": [f"v{n}" for n in range(100_000)]}}
    ],
}


def judged(entries: list[Any]) -> tuple[float, dict[str, float], int]:
    """Seconds of CPU in all, by rule, and how many flaws there are.

    Parsing, walking and validating happen in the first rule that needs them: they are measured by
    themselves, before any rule runs.
    """
    evidence = Evidence(entries=entries, server_name="benchmark")
    spent: dict[str, float] = {}
    began = time.process_time()
    for definition in evidence.tools:
        _prepare(definition)
    spent["(walk, meta-schema, references)"] = time.process_time() - began
    flaws = 0
    for rule in all_rules():
        start = time.process_time()
        flaws += sum(1 for _ in rule.find(evidence))
        spent[rule.id] = time.process_time() - start
    return time.process_time() - began, spent, flaws


def _prepare(definition: Definition) -> None:
    for view in definition.schemas:
        _ = (view.nodes, view.breaches, view.references)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=int, default=2000)
    parser.add_argument("--kilobytes", type=int, default=20)
    parser.add_argument("--rules", type=int, default=15, help="how many of the slowest to name")
    arguments = parser.parse_args()
    all_rules()
    warm_up()
    text = json.dumps([tool(index, arguments.kilobytes) for index in range(arguments.tools)])
    entries = json.loads(text)  # as from the wire: nothing is shared
    gc.collect()
    gc.freeze()
    total, spent, flaws = judged(entries)
    print(f"{arguments.tools:,} tools, {len(text) / 1e6:.1f} MB: {total:.2f} s, {flaws:,} flaws")
    for name, seconds in sorted(spent.items(), key=lambda pair: -pair[1])[: arguments.rules]:
        print(f"  {seconds:6.3f} s  {name}")
    for name, make in HOSTILE.items():
        total, spent, flaws = judged(make())
        slowest = max(spent, key=lambda rule: spent[rule])
        print(f"{name}: {total:.2f} s, {flaws:,} flaws; slowest: {slowest} {spent[slowest]:.2f} s")


if __name__ == "__main__":
    main()
