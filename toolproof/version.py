"""The installed version."""


def version() -> str:
    """The version of the installed package; "0.0.0" where it runs from a folder that is none."""
    from importlib.metadata import PackageNotFoundError, version as installed

    try:
        return installed("toolproof")
    except PackageNotFoundError:
        return "0.0.0"
