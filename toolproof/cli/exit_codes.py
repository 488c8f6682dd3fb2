"""What the exit code says; part of the public interface."""

from collections.abc import Mapping
from enum import IntEnum

from toolproof.errors import ConfigError, ServerError, ToolproofError


class ExitCode(IntEnum):
    """How a command ended; 128 + n after signal n."""

    PASSED = 0
    FINDINGS = 1
    USAGE = 2  # also where nothing was tested
    NO_SERVER = 3
    INTERNAL = 4


_OF_ERROR: Mapping[type[ToolproofError], ExitCode] = {
    ConfigError: ExitCode.USAGE,
    ServerError: ExitCode.NO_SERVER,
}


def exit_code(error: ToolproofError) -> ExitCode:
    """The exit code of a command that ended with this error."""
    return _OF_ERROR[type(error)]
