"""From causes to the findings of the report (pure)."""

from toolproof.config import Config
from toolproof.judgement.secrets import secrets_in
from toolproof.phases.fuzz.causes import Cause
from toolproof.phases.fuzz.generate import ABSENT
from toolproof.phases.fuzz.repeat import call_line, fuzz_line
from toolproof.phases.fuzz.verdict import Kind
from toolproof.report import FuzzFinding, PhaseName
from toolproof.report.fingerprint import fingerprint

_NO_REPLAY = frozenset({Kind.GROWTH, Kind.FLAKY, Kind.HINT_VIOLATION, Kind.BAD_SCHEMA})
"""Kinds that one call does not show."""


class Writer:
    """Words causes for the report.

    Args:
        server: Its name in fingerprints.
    """

    def __init__(self, config: Config, seed: int, examples: int, server: str) -> None:
        self._config = config
        self._seed = seed
        self._examples = examples
        self._server = server

    def finding(self, cause: Cause) -> FuzzFinding:
        """The finding for one cause."""
        hit, verdict, tool = cause.hit, cause.hit.verdict, cause.subject.name
        arguments = hit.case.arguments
        detail = veiled(f"{verdict.detail}; {cause.more}" if cause.more else verdict.detail)
        if hit.confirmed == 0 and hit.replays:
            detail += "; it did not come again on a fresh server"
        one_call = not hit.steps and verdict.kind not in _NO_REPLAY
        repeat = call_line(tool, arguments, self._config) if one_call else None
        return FuzzFinding(
            kind=str(verdict.kind),
            mode=hit.case.mode,
            input=None if arguments is ABSENT else arguments,
            detail=detail,
            severity=verdict.severity,
            reason=hit.case.reason,
            rule=verdict.rule,
            reproducible=hit.confirmed,
            replays=hit.replays,
            stderr=veiled(hit.stderr),
            exit_status=hit.exit_status,
            repeat=repeat or fuzz_line(tool, self._seed, self._examples, self._config),
            also=tuple(cause.also),
            steps=tuple(hit.steps),
            # What is one fault in any tool is one in any shard, whichever tool shows it there.
            fingerprint=fingerprint(
                PhaseName.FUZZ,
                str(verdict.kind),
                self._server,
                "" if verdict.wide else tool,
                verdict.cause,
            ),
        )


def veiled(text: str) -> str:
    """The text with `***` in place of what is shaped like a live credential."""
    found = sorted(secrets_in(text), key=lambda secret: -secret.at)
    for secret in found:
        text = f"{text[: secret.at]}***{text[secret.at + secret.length :]}"
    return text
