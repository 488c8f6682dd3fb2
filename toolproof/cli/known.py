"""`--baseline FILE` and `--only-new`: what a command does about known problems."""

from datetime import UTC, datetime
from functools import cache
from typing import Any

import click

from toolproof.report import AnyReport

_ALSO_IN_RESULTS = frozenset({"unsafe-integer"})
"""Rules on definitions that judge the results of calls, too."""


class Known:
    """The baseline that a command was given, or none."""

    def __init__(self, flags: dict[str, Any]) -> None:
        self._path = flags.get("baseline")
        self._only_new = bool(flags.get("only_new"))
        self._one_server = flags.get("server") is not None
        self._baseline: Any = None

    def read(self) -> None:
        """Read the file, before anything is started.

        Raises:
            ConfigError: It cannot be read, or something in it is wrong.
        """
        if self._path is None:
            if self._only_new:
                raise click.UsageError("--only-new goes with --baseline FILE")
            return
        from toolproof.finish.baseline_file import read_baseline

        self._baseline = read_baseline(self._path)

    def held_against(self, report: AnyReport) -> AnyReport:
        """The report in which known problems are let pass, and stale entries told."""
        if self._baseline is None:
            return report
        from toolproof.finish.baseline import held_against, with_strangers_told

        held = held_against(
            report,
            self._baseline,
            today=datetime.now(UTC).date(),
            live=is_live,
            only_new=self._only_new,
        )
        return held if self._one_server else with_strangers_told(held, self._baseline)


def is_live(rule: str) -> bool:
    """Whether a rule judges what calls gave or what the wire saw; unknown rules may."""
    return _live_rules().get(rule, True)


@cache
def _live_rules() -> dict[str, bool]:
    from toolproof.phases.checks.rules import all_rules

    return {
        rule.id: rule.calls
        or rule.probe
        or bool(rule.bad.calls)
        or len(rule.bad.observations) > 0
        or rule.id in _ALSO_IN_RESULTS
        for rule in all_rules()
    }
