"""References made from the code: the commands, the config, the schemas, the tree of modules."""

import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from toolproof.cli import COMMANDS, main
from toolproof.config.schema import config_schema
from toolproof.report.document import report_schema

ROOT = Path(__file__).resolve().parents[1]
START, END = "<!-- tree -->\n", "<!-- /tree -->\n"


def cli_page() -> Mapping[str, str]:
    """Every command with its help, as a terminal of 100 columns shows it."""
    parts = [
        "# Commands\n",
        "What `toolproof COMMAND --help` says. Options can be set by variables\n",
    ]
    parts.append(
        "too: `--fail-on` of `run` is `TOOLPROOF_RUN_FAIL_ON`; an empty one counts as not given.\n"
    )
    program = click.Context(main, info_name="toolproof", max_content_width=100, terminal_width=100)
    for name in COMMANDS:
        command = main.get_command(program, name)
        if command is None:
            raise LookupError(name)
        context = click.Context(
            command, info_name=name, parent=program, max_content_width=100, terminal_width=100
        )
        parts.append(f"\n## {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return {"docs/cli.md": "".join(parts)}


def schemas() -> Mapping[str, str]:
    """The JSON Schemas that `toolproof schema` prints."""
    return {
        f"docs/{name}.schema.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in (("toolproof", config_schema()), ("report", report_schema()))
    }


def config_page() -> Mapping[str, str]:
    """Every key of toolproof.yaml, from its schema."""
    schema = config_schema()
    lines = [
        "# toolproof.yaml\n\n",
        "Every key but `server` may be left out. Unknown keys are errors that name the nearest known\n",
        "one. `toolproof schema` prints the JSON Schema that editors use; it is also\n",
        "[in this folder](toolproof.schema.json).\n",
    ]
    done: set[str] = set()
    queue: list[tuple[str, Mapping[str, Any]]] = [("toolproof.yaml", schema)]
    while queue:
        title, one = queue.pop(0)
        rows = list(_rows(schema, one))
        if not rows:
            continue
        lines += [f"\n## {title}\n\n", "| key | takes | default | |\n|---|---|---|---|\n"]
        for key, takes, default, words, inner in rows:
            lines.append(f"| `{key}` | {takes} | {default} | {words} |\n")
            if inner and inner not in done:
                done.add(inner)
                queue.append((f"{inner} (`{key}`)", schema["$defs"][inner]))
    return {"docs/config.md": "".join(lines)}


def _rows(
    whole: Mapping[str, Any], schema: Mapping[str, Any]
) -> Iterator[tuple[str, str, str, str, str]]:
    for key, one in schema.get("properties", {}).items():
        name = _reference(one)
        inner = whole.get("$defs", {}).get(name, {}) if name else {}
        words = one.get("description") or inner.get("description") or ""
        default = "" if one.get("default") is None else f"`{json.dumps(one['default'])}`"
        yield key, _takes(one), default, " ".join(words.replace("|", "\\|").split()), name


def _reference(schema: Any) -> str:
    """The name of the definition that a key refers to, maybe in a list or beside null."""
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            return str(schema["$ref"]).rpartition("/")[2]
        for below in (schema.get("items"), schema.get("additionalProperties")):
            if found := _reference(below):
                return found
        for choice in schema.get("anyOf", []):
            if found := _reference(choice):
                return found
    return ""


def _takes(schema: Any) -> str:  # noqa: PLR0911 - one way out for each form of a schema
    if not isinstance(schema, dict):
        return "anything"
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "anyOf" in schema:
        kinds = [_takes(one) for one in schema["anyOf"] if one.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    kind = schema.get("type")
    if kind == "array":
        return f"list of {_takes(schema.get('items'))}"
    if kind == "object" or "$ref" in schema:
        return "mapping"
    if isinstance(kind, list):
        return " or ".join(kind)
    return str(kind or "anything")


def tree() -> Mapping[str, str]:
    """docs/architecture.md with the modules as they are, each with the first line of its docstring."""
    page = ROOT / "docs" / "architecture.md"
    text = page.read_text(encoding="utf-8")
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError("docs/architecture.md has no place for the tree")
    lines = "\n".join(_tree(ROOT / "toolproof", ""))
    return {"docs/architecture.md": f"{before}{start}```text\n{lines}\n```\n{end}{after}"}


def _tree(folder: Path, indent: str) -> Iterator[str]:
    entries = sorted(
        path
        for path in folder.iterdir()
        if path.name not in ("__pycache__", "__init__.py")
        and (path.suffix == ".py" or (path.is_dir() and any(path.rglob("*.py"))))
    )
    for path in entries:
        if path.is_dir():
            yield _line(indent, f"{path.name}/", path / "__init__.py")
            if path.name == "rules":
                number = len(list(path.glob("*.py"))) - 1
                yield f"{indent}  (one file for each of the {number} rules)"
            else:
                yield from _tree(path, f"{indent}  ")
        else:
            yield _line(indent, path.name, path)


def _line(indent: str, name: str, module: Path) -> str:
    purpose = ""
    if module.exists():
        docstring = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
        purpose = docstring.partition("\n")[0]
    return f"{indent + name:<30} {purpose}".rstrip()
