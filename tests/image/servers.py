"""Repositories with a small server each, in Python and for Node, that are installed before a run."""

from pathlib import Path

PYTHON_SERVER = '''"""A server of its own protocol code: no SDK to download."""

import json
import sys

import greeting_words

TOOL = {
    "name": "greet",
    "description": "Greet someone by name, in one line of text.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "who": {"type": "string", "description": "Name of the person", "maxLength": 80}
        },
        "required": ["who"],
        "additionalProperties": False,
    },
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}


def answer(request):
    params = request.get("params") or {}
    match request["method"]:
        case "initialize":
            return {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "greeter", "version": "1.0"},
            }
        case "tools/list":
            return {"tools": [TOOL]}
        case "tools/call" if params.get("name") == "greet":
            given = params.get("arguments", {})
            who = given.get("who") if isinstance(given, dict) else None
            if not isinstance(who, str) or len(who) > 80 or set(given) != {"who"}:
                return {"content": [{"type": "text", "text": "who?"}], "isError": True}
            text = f"{greeting_words.HELLO}, {who}"
            return {"content": [{"type": "text", "text": text}]}
        case "ping":
            return {}
    return None


def main():
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        result = answer(request)
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        if result is None:
            reply["error"] = {"code": -32601, "message": "no such method"}
            if request["method"] == "tools/call":
                reply["error"] = {"code": -32602, "message": "no such tool"}
        else:
            reply["result"] = result
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
'''
PYPROJECT = """[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "greeter"
version = "1.0"

[tool.setuptools]
py-modules = ["greeter_server", "greeting_words"]

[project.scripts]
greeter = "greeter_server:main"
"""
NODE_SERVER = """#!/usr/bin/env node
import readline from 'node:readline';
import { hello } from 'greeting-words';

const tool = {
  name: 'greet',
  description: 'Greet someone by name, in one line of text.',
  inputSchema: {
    type: 'object',
    properties: { who: { type: 'string', description: 'Name of the person', maxLength: 80 } },
    required: ['who'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};
const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'greeter', version: '1.0' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  ping: () => ({}),
  'tools/call': ({ name, arguments: given }) => {
    if (name !== 'greet') return undefined;
    const who = given?.who;
    const alone = given && Object.keys(given).join() === 'who';
    if (typeof who !== 'string' || [...who].length > 80 || !alone)
      return { content: [{ type: 'text', text: 'who?' }], isError: true };
    return { content: [{ type: 'text', text: `${hello}, ${who}` }] };
  },
};
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params ?? {});
  const code = method === 'tools/call' ? -32602 : -32601;
  const error = { code, message: 'there is none' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
}
"""
CONFIG = """server:
  command: [{command}]
tests:
  - name: greets
    tool: greet
    args: {{ who: Ada }}
    expect: {{ contains: "{word}, Ada" }}
"""


def python_repository(folder: Path, *, word: str = "hello") -> Path:
    """A server whose module is only found once `pip install -e .` has run."""
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "greeter_server.py").write_text(PYTHON_SERVER)
    (folder / "src" / "greeting_words.py").write_text('HELLO = "hello"\n')
    text = PYPROJECT.replace(
        "[tool.setuptools]\n", '[tool.setuptools]\npackage-dir = {"" = "src"}\n'
    )
    (folder / "pyproject.toml").write_text(text)
    (folder / "toolproof.yaml").write_text(
        CONFIG.format(command="python, -m, greeter_server", word=word)
    )
    return folder


def node_repository(folder: Path, *, word: str = "hello") -> Path:
    """A server with a dependency that `npm ci` links from a folder beside it."""
    words = folder / "words"
    words.mkdir(parents=True)
    words.joinpath("package.json").write_text(
        '{"name": "greeting-words", "version": "1.0.0", "type": "module", "main": "index.js"}'
    )
    words.joinpath("index.js").write_text("export const hello = 'hello';\n")
    folder.joinpath("server.js").write_text(NODE_SERVER)
    folder.joinpath("package.json").write_text(
        '{"name": "greeter", "version": "1.0.0", "type": "module",'
        ' "bin": {"greeter": "server.js"}, "dependencies": {"greeting-words": "file:words"}}'
    )
    folder.joinpath("package-lock.json").write_text(
        '{"name": "greeter", "version": "1.0.0", "lockfileVersion": 3, "requires": true,'
        ' "packages": {"": {"name": "greeter", "version": "1.0.0", "bin": {"greeter": "server.js"},'
        ' "dependencies": {"greeting-words": "file:words"}},'
        ' "node_modules/greeting-words": {"resolved": "words", "link": true},'
        ' "words": {"name": "greeting-words", "version": "1.0.0"}}}'
    )
    folder.joinpath("toolproof.yaml").write_text(
        CONFIG.format(command="node, server.js", word=word)
    )
    return folder
