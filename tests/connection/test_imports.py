"""The wire is imported before a server starts, so it must be light."""

import subprocess
import sys

_HEAVY = (
    "httpx2",
    "hypothesis",
    "jsonschema",
    "jsonschema_rs",
    "mcp",
    "mcp_types",
    "pydantic",
    "rich",
)
_CODE = f"import sys, toolproof.connection; print([m for m in {_HEAVY} if m in sys.modules])"


def test_the_wire_imports_no_models_no_validators_and_no_http() -> None:
    done = subprocess.run((sys.executable, "-c", _CODE), capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
