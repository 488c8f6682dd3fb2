"""The report formats that go into files; each is imported when it is first asked for."""

from collections.abc import Callable
from importlib import import_module

from toolproof.report import AnyReport
from toolproof.reporters.reporter import Reporter


def _later(module: str) -> Callable[..., str]:
    """The `render` of a module that is imported only when something is rendered."""

    def render(report: AnyReport, **options: object) -> str:
        text: str = import_module(f"toolproof.reporters.{module}").render(report, **options)
        return text

    return render


REPORTERS: tuple[Reporter, ...] = (
    Reporter("json", "The whole result, for programs.", _later("json")),
    Reporter("junit", "JUnit XML, for any CI.", _later("junit")),
    Reporter("html", "One page to read and to pass on.", _later("html")),
    Reporter(
        "summary",
        "Markdown, for the page of a CI job.",
        _later("summary"),
        appends=True,
        variable="GITHUB_STEP_SUMMARY",
    ),
    Reporter("sarif", "SARIF 2.1.0, for code scanning.", _later("sarif")),
    Reporter("codequality", "GitLab's code quality.", _later("codequality")),
)

__all__ = ["REPORTERS", "Reporter"]
