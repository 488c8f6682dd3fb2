"""What can go wrong before there is a report, and what the user can do about it.

ToolproofError
├── ConfigError     toolproof.yaml or a flag is wrong; nothing was started
└── ServerError     the server could not be started, reached or kept alive
"""


class ToolproofError(Exception):
    """Base of every error that toolproof raises on purpose.

    Attributes:
        message: What is wrong, lower case, without a final period.
        where: The file and line, the command, or the URL that it is about.
        hint: What to do next, as an imperative sentence.
    """

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class ConfigError(ToolproofError):
    """toolproof.yaml, or a flag that overrides it, is wrong.

    Attributes:
        file: The file that holds the (first) mistake, if one does.
        line: Its line there, from 1.
    """

    def __init__(
        self,
        message: str,
        *,
        where: str | None = None,
        hint: str | None = None,
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(message, where=where, hint=hint)
        self.file = file
        self.line = line


class ServerError(ToolproofError):
    """The server could not be started, reached or kept alive."""
