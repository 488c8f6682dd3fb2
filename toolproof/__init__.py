"""toolproof: automated tests for MCP servers.

The names in `__all__` are the public Python API, and the only names that
semantic versioning covers. Every other module may change in any release.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolproof.config import Config, ServerConfig, load_config
    from toolproof.connection import McpServer
    from toolproof.errors import ConfigError, ServerError
    from toolproof.report import CallResult, RunReport
    from toolproof.runner import run_config, run_config_async

__all__ = [
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

_HOMES = {
    "CallResult": "report",
    "Config": "config",
    "ConfigError": "errors",
    "McpServer": "connection",
    "RunReport": "report",
    "ServerConfig": "config",
    "ServerError": "errors",
    "load_config": "config",
    "run_config": "runner",
    "run_config_async": "runner",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `toolproof --help` pays for none of them (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'toolproof' has no attribute {name!r}")
    value = getattr(import_module(f"toolproof.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
