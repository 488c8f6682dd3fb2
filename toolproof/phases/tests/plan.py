"""From the file's tests to what is run: `each` expanded, names made unique, steps in one shape."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from toolproof.config import Config, Expect, Step, ToolTest
from toolproof.phases.phase import RunOptions
from toolproof.phases.tests.select import keyword, unique
from toolproof.phases.tests.variables import names_in, substitute
from toolproof.records import record
from toolproof.report import PhaseName, Place


@record(kw_only=True)
class PlannedStep:
    """One call.

    Attributes:
        method: tools/call, resources/read or prompts/get.
        subject: The tool's name, the resource's URI or the prompt's name.
        args: The arguments, with `${name}` still in them; None for a call without any.
        expect: Expectations by key; empty where the file gives none.
        save: Variable names, each with the JSONPath of its value in the result's data.
    """

    method: str
    subject: str
    args: Mapping[str, Any] | None
    timeout_s: float
    total_s: float
    expect: Mapping[str, Any] = field(default_factory=dict)
    save: Mapping[str, str] = field(default_factory=dict)


@record(kw_only=True)
class PlannedTest:
    """One test as it runs and is reported.

    Attributes:
        index: Its place among the planned tests: the order of the report.
        source: The index of the test in the file.
        told: Whether it is reported. If not, it runs since a selected test needs what it saves.
    """

    index: int
    source: int
    name: str
    steps: tuple[PlannedStep, ...]
    retries: int
    tags: tuple[str, ...]
    place: Place | None
    told: bool = True

    @property
    def needs(self) -> frozenset[str]:
        """Names of the variables that it uses."""
        return frozenset(
            name for step in self.steps for name in names_in([step.args, step.expect, step.subject])
        )

    @property
    def gives(self) -> frozenset[str]:
        """Names of the variables that it saves."""
        return frozenset(name for step in self.steps for name in step.save)


def planned(config: Config, options: RunOptions) -> list[PlannedTest]:
    """The tests that shall run, in the order of the file, with those whose values they need.

    Raises:
        ConfigError: The `-k` expression cannot be read.
    """
    everything = _named(config)
    told = {
        test.index
        for test in _selected(everything, options)
        if options.owns(PhaseName.TESTS, test.name)
    }
    needed = told | _givers(everything, told)
    return [replace(test, told=test.index in told) for test in everything if test.index in needed]


def names_of_selected(config: Config, options: RunOptions) -> tuple[str, ...]:
    """The names of the tests that all shards together run, in the order of the file."""
    return tuple(test.name for test in _selected(_named(config), options))


def _selected(tests: Sequence[PlannedTest], options: RunOptions) -> Iterator[PlannedTest]:
    """What `-k`, `--tag` and `--last-failed` leave."""
    wanted = keyword(options.keyword) if options.keyword is not None else None
    for test in tests:
        if (
            (wanted is None or wanted([test.name, *(step.subject for step in test.steps)]))
            and (not options.tags or set(options.tags) & set(test.tags))
            and (options.only is None or test.name in options.only)
        ):
            yield test


def _givers(tests: Sequence[PlannedTest], told: Collection[int]) -> set[int]:
    """The tests before these that save what they, or each other, need."""
    needed: set[int] = set()
    missing: set[str] = set()
    for test in reversed(tests):
        if test.index not in told and missing & test.gives:
            needed.add(test.index)
        if test.index in told or test.index in needed:
            missing |= test.needs - test.gives
    return needed


def _named(config: Config) -> list[PlannedTest]:
    """Every test of the file, each with a name of its own."""
    expanded = list(_expanded(config))
    names = list(unique([test.name for test in expanded]))
    return [
        replace(test, index=index, name=name)
        for index, (test, name) in enumerate(zip(expanded, names, strict=True))
    ]


def _expanded(config: Config) -> Iterator[PlannedTest]:
    for source, test in enumerate(config.tests):
        rows: Sequence[Mapping[str, Any] | None] = test.each or [None]
        for row in rows:
            values = {f"each.{key}": value for key, value in (row or {}).items()}
            steps = tuple(
                planned_step(config, step, test, values) for step in (test.steps or [test])
            )
            name = str(substitute(test.name, values)) if test.name else ""
            if row is not None and name == test.name:
                name += f" [{', '.join(f'{key}={value}' for key, value in row.items())}]"
            yield PlannedTest(
                index=0,
                source=source,
                name=name,
                steps=steps,
                retries=config.retries if test.retries is None else test.retries,
                tags=tuple(test.tags),
                place=_place(config, source),
            )


def planned_step(
    config: Config, step: Step | ToolTest, test: ToolTest | None, values: Mapping[str, Any]
) -> PlannedStep:
    """One call of the file, with the limits that it inherits.

    Args:
        values: What `${each.…}` stands for.
    """
    timeout_ms = step.timeout_ms or (test.timeout_ms if test else None) or config.timeout_ms
    total_ms = config.total_timeout_ms or 6 * timeout_ms
    if step.tool is not None:
        method, subject = "tools/call", step.tool
    elif step.resource is not None:
        method, subject = "resources/read", step.resource
    else:
        method, subject = "prompts/get", step.prompt or ""
    return PlannedStep(
        method=method,
        subject=str(substitute(subject, values)),
        args=substitute(step.args, values),
        timeout_s=timeout_ms / 1000,
        total_s=max(timeout_ms, total_ms) / 1000,
        expect=substitute(expectations_of(step.expect), values),
        save=step.save,
    )


def expectations_of(expect: Expect) -> dict[str, Any]:
    """What the file says, by key; matchers and snapshots as plain mappings."""
    said: dict[str, Any] = {}
    for key in expect.model_fields_set:
        value = getattr(expect, key)
        if value is None and key != "equals":
            continue
        match key:
            case "json_schema":
                said["schema"] = value
            case "jsonpath":
                said["jsonpath"] = {
                    path: matcher.model_dump(exclude_unset=True) for path, matcher in value.items()
                }
            case "content":
                said["content"] = [block.model_dump(exclude_unset=True) for block in value]
            case "snapshot":
                said["snapshot"] = {"ignore": list(value.ignore)}
            case _:
                said[key] = value
    return said


def _place(config: Config, source: int) -> Place | None:
    found = config.place("tests", source)
    return Place(file=found[0], line=found[1]) if found else None
