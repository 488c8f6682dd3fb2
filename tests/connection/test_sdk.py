import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.running import needs_sdk_2, run
from toolproof.connection import sdk
from toolproof.connection.sdk import refused_tools

REAL = Path(os.environ.get("TOOLPROOF_REAL_SERVERS") or "none")  # read before conftest clears it
GOOD = {"name": "a", "inputSchema": {"type": "object"}}


def test_a_good_list_is_taken() -> None:
    assert refused_tools([GOOD], "2025-11-25") == []
    assert refused_tools([GOOD], "2026-07-28") == []


@needs_sdk_2
def test_each_refusal_has_its_index_and_member() -> None:
    bad = {"name": "b", "inputSchema": {"type": "objec"}}

    [told] = refused_tools([GOOD, bad], "2025-11-25")

    assert told.startswith("tools.1.inputSchema.type: ")


@needs_sdk_2
def test_an_array_as_output_schema_is_refused_before_2026_only() -> None:
    tool = {**GOOD, "outputSchema": {"type": "array"}}

    assert refused_tools([tool], "2025-11-25")
    assert not refused_tools([tool], "2026-07-28")


@pytest.mark.real
def test_an_sdk_of_the_first_age_has_an_opinion_too() -> None:
    python = REAL / "one" / "bin" / "python"
    if not python.exists():
        pytest.skip("no published servers here: make real")
    code = (
        "import importlib.util, json\n"
        f"spec = importlib.util.spec_from_file_location('sdk', {sdk.__file__!r})\n"
        "sdk = importlib.util.module_from_spec(spec); spec.loader.exec_module(sdk)\n"
        "good = {'name': 'a', 'inputSchema': {'type': 'object'}}\n"
        "print(json.dumps([sdk.refused_tools([{'name': 1}], 'x'), sdk.refused_tools([good], 'x')]))"
    )

    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)

    refused, taken = json.loads(done.stdout)
    assert refused
    assert taken == []


def test_without_an_sdk_there_is_no_opinion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    monkeypatch.setitem(sys.modules, "mcp", None)

    assert refused_tools([{"name": 1}], "2025-11-25") == []


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(json_values, max_size=3), st.sampled_from(["2024-11-05", "2026-07-28", "nonsense"]))
def test_any_list_has_an_opinion(entries: list[Any], revision: str) -> None:
    assert all(isinstance(told, str) for told in refused_tools(entries, revision))


async def test_the_opinion_is_a_note_where_a_definition_is_wrong() -> None:
    tool = {"name": "a", "description": "Does it.", "inputSchema": None}
    server = (
        "import json, sys\n"
        f"tool = json.loads({json.dumps(json.dumps(tool))})\n"
        "info = {'name': 's', 'version': '1'}\n"
        "hello = {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}}, 'serverInfo': info}\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if 'id' not in m: continue\n"
        "    r = {'jsonrpc': '2.0', 'id': m['id']}\n"
        "    if m['method'] == 'initialize': r['result'] = hello\n"
        "    elif m['method'] == 'tools/list': r['result'] = {'tools': [tool]}\n"
        "    else: r['error'] = {'code': -32601, 'message': 'no'}\n"
        "    print(json.dumps(r), flush=True)\n"
    )

    report = await run([sys.executable, "-c", server], "checks")

    [note] = [n.message for n in report.notes if "Python SDK" in n.message]
    assert "tools.0.inputSchema" in note
    assert "whole list" in note
