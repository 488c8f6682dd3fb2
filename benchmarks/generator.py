"""How many labelled inputs the fuzzer's generator makes in a second, and what hostile schemas cost.

    python -m benchmarks.generator [--schemas tests/phases/fuzz/generate/schemas.json]

Prints, in seconds of CPU: the coverage cases of all input schemas, every label checked by the
validator, with all that is made before (compiling, finding the places) and without; the first 100
cases of some hostile schemas; and a search for the smallest failing input.
"""

import argparse
import gc
import json
import time
from itertools import islice
from pathlib import Path
from typing import Any

from toolproof.phases.fuzz.generate import Plan, Shrinker, Stage, within_budget
from toolproof.report.fuzz import InputMode
from toolproof.schemas import warm_up

HOSTILE: dict[str, Any] = {
    "10 MB of fields": {
        "type": "object",
        "properties": {
            f"p{i}": {"type": "string", "description": "x" * 900} for i in range(10_000)
        },
    },
    "an enum of 100,000": {
        "type": "object",
        "properties": {"e": {"enum": [f"v{i}" for i in range(100_000)]}},
    },
    "allOf of 1,000": {
        "type": "object",
        "allOf": [
            {"properties": {f"p{i}": {"type": "integer"}}, "required": [f"p{i}"]}
            for i in range(1_000)
        ],
    },
    "20 ways into itself": {
        "type": "object",
        "properties": {f"p{i}": {"$ref": "#"} for i in range(20)},
    },
    "maxItems 10^9": {
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "string"}, "maxItems": 10**9}},
    },
    "a catastrophic pattern": {
        "type": "object",
        "properties": {"a": {"type": "string", "pattern": "^(a+)+$", "minLength": 50}},
        "required": ["a"],
    },
}


def coverage(schemas: list[Any]) -> None:
    """Print the rate over all schemas."""
    for turn in ("first", "second"):
        compiling = placing = making = 0.0
        count = 0
        for schema in schemas:
            start = time.process_time()
            plan = Plan(schema, seed=1)
            compiled = time.process_time()
            _ = plan.slots
            placed = time.process_time()
            count += sum(1 for mode in InputMode for _ in plan.cases(Stage.COVERAGE, mode))
            end = time.process_time()
            compiling += compiled - start
            placing += placed - compiled
            making += end - placed
        whole = compiling + placing + making
        print(
            f"{turn} turn: {count:,} coverage cases of {len(schemas)} schemas in {whole:.2f} s: "
            f"{count / whole:,.0f}/s; {count / making:,.0f}/s once compiled and placed"
        )


def first_cases(name: str, schema: Any) -> None:
    """Print what the first 100 cases cost."""
    gc.collect()
    start = time.process_time()
    plan = Plan(schema)
    count = sum(len(within_budget(plan, mode, 50)) for mode in InputMode)
    print(f"{name}: {count} cases in {time.process_time() - start:.2f} s")


def shrinking() -> None:
    """Print what a search costs, without the calls."""
    plan = Plan(
        {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    )
    found = {"text": "a" * 5_000 + "é" + "b" * 5_000, "more": [{"x": n} for n in range(50)]}
    case = next(islice(plan.cases(Stage.COVERAGE, InputMode.VALID), 1))
    start = time.process_time()
    search = Shrinker(found, plan.keeper(case))
    while candidates := search.propose():
        search.tell([isinstance(c, dict) and not c.get("text", "").isascii() for c in candidates])
    spent = time.process_time() - start
    print(f"shrinking: {search.best} after {search.calls} calls, {spent:.2f} s between them")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--schemas", type=Path, default=Path("tests/phases/fuzz/generate/schemas.json")
    )
    given = parser.parse_args()
    entries = json.loads(given.schemas.read_text(encoding="utf-8"))
    warm_up()
    coverage([entry["inputSchema"] for entry in entries if "inputSchema" in entry])
    for name, schema in HOSTILE.items():
        first_cases(name, schema)
    shrinking()


if __name__ == "__main__":
    main()
