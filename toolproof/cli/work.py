"""What commands that run phases have in common: options, progress, the recorder, the last failures."""

import gc
import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import click

from toolproof.cli.known import Known
from toolproof.cli.outputs import Outputs
from toolproof.cli.repeat import repeat_line
from toolproof.errors import ConfigError
from toolproof.report import AnyReport, Collection, RunReport, Severity, runs_of
from toolproof.text import listed

MEMORY = Path(".toolproof")
"""Where a run keeps what the next one may use: last failures, the corpus, the cache."""
_CONFIGURED = "config"
_WAIT_S = 60.0


def failing_severity(ctx: click.Context, flags: dict[str, Any]) -> Severity | str | None:
    """What `--fail-on` and `--strict` say; "config" where they say nothing."""
    fail_on: str | None = flags["fail_on"]
    if flags["strict"]:
        if fail_on not in (None, "warning"):
            raise click.UsageError("--strict means --fail-on warning: give one of them", ctx)
        return Severity.WARNING
    if fail_on is None:
        return _CONFIGURED
    return None if fail_on == "never" else Severity(fail_on)


class Work:
    """One command's run: from its flags to a report."""

    def __init__(self, ctx: click.Context, outputs: Outputs, flags: dict[str, Any]) -> None:
        self.ctx = ctx
        self.outputs = outputs
        self.flags = flags
        self.folder: Path | None = None
        self.known = Known(flags)

    def execute(
        self,
        config: Any,
        *,
        phases: Sequence[str] | None,
        fail_on: Severity | str | None = _CONFIGURED,
        phase_options: dict[str, object] | None = None,
    ) -> AnyReport:
        """Run the phases, and hold what they find against the baseline where one was given."""
        self.known.read()
        report = self._execute(config, phases=phases, fail_on=fail_on, phase_options=phase_options)
        return self.known.held_against(report)

    def _execute(
        self,
        config: Any,
        *,
        phases: Sequence[str] | None,
        fail_on: Severity | str | None,
        phase_options: dict[str, object] | None = None,
    ) -> RunReport:
        """Run the phases, with progress on a terminal and a recorder where one was asked for."""
        from toolproof.cli.progress import showing
        from toolproof.phases.phase import RunOptions
        from toolproof.runner import execute

        self.folder = config.base_dir / MEMORY
        seed = self.flags.get("seed")
        options = RunOptions(
            keyword=self.flags.get("keyword"),
            tags=tuple(self.flags.get("tags") or ()),
            only=self._last_failed() if self.flags.get("last_failed") else None,
            workers=self.flags.get("workers"),
            shard=self.flags.get("shard"),
            seed=secrets.randbelow(2**32) if seed is None else seed,
            update_snapshots=bool(self.flags.get("update_snapshots")),
            phase_options={**({} if seed is None else {"seed": seed}), **(phase_options or {})},
        )
        options = selecting(config, phases, options)
        visible = self.outputs.screen.progress and not self.flags.get("no_progress")
        with showing(enabled=visible) as progress, recording(config, self.flags) as recorder:

            async def go() -> RunReport:
                gc.freeze()
                gc.enable()
                await answering(self.flags.get("wait_on") or ())
                return await execute(
                    config,
                    phases,
                    options=options.with_progress(progress),
                    fail_on=fail_on,
                    signals=True,
                    recorder=recorder,
                )

            report = anyio.run(go)
        again = repeat_line(self.ctx, config, report.seed)
        return report if again is None else replace(report, repeat=again)

    def execute_all(
        self,
        config: Any,
        *,
        phases: Sequence[str] | None,
        fail_on: Severity | str | None = _CONFIGURED,
        phase_options: dict[str, object] | None = None,
    ) -> AnyReport:
        """Run against the config's server, or against each of its `servers` in turn."""
        self.known.read()
        reports: list[RunReport] = []
        for one in config.per_server():
            report = self._execute(one, phases=phases, fail_on=fail_on, phase_options=phase_options)
            reports.append(report)
            if report.interrupted is not None:
                break
        whole = reports[0] if not config.servers else Collection(tuple(reports))
        return self.known.held_against(whole)

    def remember(self, report: AnyReport) -> AnyReport:
        """Keep the names of the tests that failed, for `--last-failed`."""
        tests = [test for run in runs_of(report) for test in run.tests]
        if self.folder is None or not tests:
            return report
        failed = {test.name for test in tests if test.details}
        if any(self.flags.get(name) for name in ("last_failed", "keyword", "tags", "shard")):
            ran = {test.name for test in tests}
            failed |= self._remembered() - ran
        try:
            if failed or self._file().exists():
                self.folder.mkdir(exist_ok=True)
                ignore = self.folder / ".gitignore"
                if not ignore.exists():
                    ignore.write_text("last-failed.json\n", encoding="utf-8")
                self._file().write_text(json.dumps(sorted(failed)), encoding="utf-8")
        except OSError:
            pass  # a folder that cannot be written: `--last-failed` will run everything
        return report

    def _file(self) -> Path:
        return (self.folder or MEMORY) / "last-failed.json"

    def _remembered(self) -> set[str]:
        try:
            found = json.loads(self._file().read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return set()
        return (
            {name for name in found if isinstance(name, str)} if isinstance(found, list) else set()
        )

    def _last_failed(self) -> frozenset[str] | None:
        """None, which means all, where nothing failed: then there is nothing to go back to."""
        return frozenset(self._remembered()) or None


def selecting(config: Any, phases: Sequence[str] | None, options: Any) -> Any:
    """The options, which leave some of the file's tests; without names that no test has any more.

    Raises:
        ConfigError: No test fits: a run of none must not look like a green one.
    """
    if not (options.keyword or options.tags or options.only) or not config.tests:
        return options
    from toolproof.phases.phase import RunOptions
    from toolproof.phases.tests.plan import names_of_selected
    from toolproof.runner import wanted_phases

    if "tests" not in [phase.name for phase in wanted_phases(config, phases)]:
        return options
    names = names_of_selected(config, RunOptions())
    if options.only is not None and options.only.isdisjoint(names):
        options = replace(options, only=None)
    if names_of_selected(config, options):
        return options
    given = [f"-k {options.keyword!r}"] if options.keyword else []
    given += [f"--tag {tag!r}" for tag in options.tags]
    given += ["--last-failed"] if options.only is not None else []
    tags = sorted({tag for test in config.tests for tag in test.tags})
    there = f"There are the tests {listed(names, most=5)}"
    raise ConfigError(
        f"no test fits {' with '.join(given)}",
        where=str(config.path) if config.path else None,
        hint=f"{there}; and the tags {listed(tags, most=5)}." if tags else f"{there}.",
    )


async def answering(urls: Sequence[str]) -> None:
    """Return once all of them answer.

    Raises:
        ServerError: One of them does not in time.
    """
    if urls:
        from toolproof.connection.http_wait import wait_for_url

        for url in urls:
            await wait_for_url(url, _WAIT_S)


@contextmanager
def recording(config: Any, flags: dict[str, Any]) -> Iterator[Any]:
    """The recorder of `--debug FILE`, open while inside; None without.

    Raises:
        ConfigError: The file cannot be written.
    """
    path: Path | None = flags.get("debug")
    if path is None:
        yield None
        return
    from toolproof.connection.recorder import Recorder

    try:
        recorder = Recorder(path, mask=config.secrets.mask)
    except OSError as exc:
        raise ConfigError(f"--debug: {path} cannot be written: {exc.strerror}") from exc
    try:
        yield recorder
    finally:
        recorder.close()
