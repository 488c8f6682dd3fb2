"""What `import toolproof` promises."""

import inspect
import subprocess
import sys

import pytest

import toolproof
from toolproof.report import (
    BenchResult,
    EvalCaseResult,
    EvalSection,
    FuzzFinding,
    FuzzResult,
    Problem,
    ToolTestResult,
)


def test_public_names_are_exactly_these() -> None:
    assert sorted(toolproof.__all__) == [
        "CallResult",
        "Config",
        "ConfigError",
        "McpServer",
        "RunReport",
        "ServerConfig",
        "ServerError",
        "load_config",
        "run_config",
        "run_config_async",
    ]
    assert all(getattr(toolproof, name) is not None for name in toolproof.__all__)
    assert set(toolproof.__all__) <= set(dir(toolproof))


def test_a_name_that_is_none_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = toolproof.nonsense


# From the seed, word for word: what users may rely on.
ATTRIBUTES: dict[type, str] = {
    toolproof.CallResult: "tool arguments is_error text structured data latency_ms "
    "transport_error timed_out protocol_error error_code",
    toolproof.RunReport: "passed error phases server_name server_version tool_names checks tests "
    "bench fuzz fuzz_seed evals duration_s",
    Problem: "tool check severity message rule pointer fix place",
    ToolTestResult: "name tool passed failures latency_ms attempts result server_stderr",
    BenchResult: "name tool calls concurrency errors error_rate throughput p50_ms p95_ms p99_ms "
    "mean_ms max_ms failures passed",
    FuzzResult: "tool calls skipped findings passed",
    FuzzFinding: "kind mode input detail severity",
    EvalSection: "provider model accuracy correct min_accuracy passed error cases",
    EvalCaseResult: "name prompt expect_tool expect_args picked_tool picked_args failures cached "
    "passed",
}


@pytest.mark.parametrize("cls", ATTRIBUTES, ids=lambda cls: cls.__name__)
def test_public_attributes_are_there(cls: type) -> None:
    fields = set(getattr(cls, "__dataclass_fields__", {}))
    properties = {name for name, _ in inspect.getmembers(cls, lambda m: isinstance(m, property))}

    assert set(ATTRIBUTES[cls].split()) <= fields | properties


def test_the_server_section_has_the_seeds_keys() -> None:
    names = {"command", "url", "env", "headers", "cwd", "startup_timeout_s"}

    assert names <= set(toolproof.ServerConfig.model_fields)


@pytest.mark.parametrize(
    ("method", "signature"),
    [
        ("call", ["tool", "arguments", "timeout_s"]),
        ("list_tools", []),
        ("server_info", []),
        ("is_alive", ["timeout_s"]),
        ("reconnect", []),
        ("stderr_tail", ["lines"]),
    ],
)
def test_the_server_has_the_seeds_methods(method: str, signature: list[str]) -> None:
    found = inspect.signature(getattr(toolproof.McpServer, method))
    positional = [
        parameter.name
        for parameter in found.parameters.values()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and parameter.name != "self"
    ]

    assert positional == signature


def test_defaults_of_the_seed() -> None:
    assert inspect.signature(toolproof.McpServer.is_alive).parameters["timeout_s"].default == 5
    assert inspect.signature(toolproof.McpServer.stderr_tail).parameters["lines"].default == 20
    assert inspect.signature(toolproof.run_config).parameters["phases"].default is None


HEAVY = {
    "hypothesis",
    "httpx2",
    "jsonschema",
    "jsonschema_rs",
    "mcp",
    "mcp_types",
    "numpy",
    "psutil",
    "pydantic",
    "rich",
    "yaml",
}


def modules_after(code: str) -> set[str]:
    words = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", words], capture_output=True, text=True, check=False
    )
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_importing_toolproof_loads_nothing_heavy() -> None:
    assert not modules_after("import toolproof") & (HEAVY | {"anyio", "asyncio", "click"})


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["run", "--help"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    code = f"from toolproof.cli import main\ntry: main({words!r})\nexcept SystemExit: pass"

    assert not modules_after(code) & (HEAVY | {"asyncio"})


def test_a_config_error_needs_no_wire_no_models_of_the_sdk_and_no_validator() -> None:
    code = (
        "from toolproof.cli import main\n"
        "try: main(['run', '-c', 'no-such-file.yaml'])\n"
        "except SystemExit: pass"
    )

    assert not modules_after(code) & (HEAVY - {"pydantic", "yaml"})


def test_opening_a_server_needs_no_models_of_the_sdk_and_no_validator() -> None:
    code = "import toolproof; toolproof.McpServer; toolproof.ServerConfig"

    assert not modules_after(code) & (HEAVY - {"pydantic", "yaml"})
