"""The version, in the one place where it stands."""

__version__ = "1.0.0"


def version() -> str:
    """The version of this package."""
    return __version__
