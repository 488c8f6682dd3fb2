"""All the cases of one tool, stage by stage, from its schema and a seed."""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any, assert_never

from toolproof.judgement.document import Spot
from toolproof.judgement.satisfiable import contradictions, unsatisfiable
from toolproof.phases.fuzz.generate.case import ABSENT, ARGUMENTS, Case, Stage, Unmodelled
from toolproof.phases.fuzz.generate.chance import Chance
from toolproof.phases.fuzz.generate.checker import Checker
from toolproof.phases.fuzz.generate.coverage import invalid_drafts, valid_drafts
from toolproof.phases.fuzz.generate.dictionary import dictionary_drafts
from toolproof.phases.fuzz.generate.drafts import Draft
from toolproof.phases.fuzz.generate.examples import example_drafts
from toolproof.phases.fuzz.generate.pairs import pair_drafts
from toolproof.phases.fuzz.generate.repair import repaired
from toolproof.phases.fuzz.generate.shape import Claim, Node
from toolproof.phases.fuzz.generate.showing import wire_key
from toolproof.phases.fuzz.generate.slots import Slot, slots_of
from toolproof.phases.fuzz.generate.values import Values
from toolproof.phases.fuzz.generate.wrong import Wrongs
from toolproof.report.fuzz import InputMode
from toolproof.schemas import Breach, SchemaError, dialect_of, pointer_of, steps_of
from toolproof.schemas.pointers import Path

_MOST_REPEATS = 100
"""Drafts in a row that give no new case end the random stage."""

_MOST_CONTRADICTIONS = 20

_OBJECT = {"type": "object"}
"""What arguments are, whatever the schema says."""


class Plan:
    """The cases for one schema.

    Nothing here does I/O or looks at a clock: the same schema, seed and values give the same cases
    in the same order. Time and memory are bounded for any schema, and nothing raises.

    Args:
        schema: A tool's inputSchema, of any type.
        seed: Of the random stage.
        given: The user's values for fields of these names.

    Attributes:
        problem: What is wrong with the schema, if no value can be judged by it. Then the cases are
            those of `schema` less what is wrong, and their labels say nothing about the server.
        schema: The schema that the labels are true of.
    """

    def __init__(
        self, schema: Any, *, seed: int = 0, given: Mapping[str, Sequence[Any]] | None = None
    ) -> None:
        self.seed = seed
        self.schema = schema
        self.problem: str | None = None
        try:
            checker = Checker(schema)
        except (SchemaError, RecursionError) as error:
            self.problem = str(error) if isinstance(error, SchemaError) else "nested too deeply"
            self.schema = repaired(schema)
            checker = Checker(self.schema)
        self._is_known = not isinstance(schema, dict) or dialect_of(schema) is not None
        self._checker = checker
        self._values = Values(checker, given or {})
        self._wrongs = Wrongs(self._values)

    @property
    def notes(self) -> Sequence[Unmodelled]:
        """What could not be modelled, so far as it was met by the cases made until now."""
        return (*self._contradictions, *self._values.notes)

    @functools.cached_property
    def _contradictions(self) -> Sequence[Unmodelled]:
        return [
            Unmodelled(found.pointer, found.keyword, f"nothing can match: {found.why}")
            for found in islice(contradictions(self.schema), _MOST_CONTRADICTIONS)
        ]

    @functools.cached_property
    def slots(self) -> Sequence[Slot]:
        """The places that are varied, the arguments themselves first; empty if nothing fits."""
        try:
            slots = slots_of(self._values, self._root)
        except RecursionError:
            slots = []
        if not slots:
            proof = unsatisfiable(self.schema, of_type="object")
            why = (
                f"no arguments can fit: {proof.why}"
                if proof
                else "no arguments that fit were found"
            )
            where = (proof.pointer, proof.keyword) if proof else ("", "")
            self._values.notes = {Unmodelled(*where, why): None, **self._values.notes}
        return slots

    def label(self, arguments: Any) -> InputMode | None:
        """Whether the arguments fit; None where readings of the specification differ.

        ABSENT counts as `{}`, and what is no object never fits.
        """
        value = {} if arguments is ABSENT else arguments
        if isinstance(value, dict) and self._checker.fits(value):
            return InputMode.VALID
        breaks = not isinstance(value, dict) or self._checker.breaks(value)
        return InputMode.INVALID if breaks else None

    def breaches(self, arguments: Any) -> Iterator[Breach]:
        """How the arguments do not fit."""
        return self._checker.validator.breaches({} if arguments is ABSENT else arguments)

    def keeper(self, case: Case, *, same_breach: bool = False) -> Callable[[Any], bool]:
        """Whether a smaller candidate still has the label of the case.

        Args:
            same_breach: For an invalid case whether it must also be wrong in the same way only:
                what accepts one wrong value may rightly be asked about no other.
        """
        mode = case.mode
        if mode is InputMode.VALID or not same_breach:
            return lambda arguments: self.label(arguments) is mode
        if case.keyword == ARGUMENTS:
            return lambda arguments: case_key(arguments) == case_key(case.arguments)
        ways = self._ways(case.arguments)
        return lambda arguments: self.label(arguments) is mode and self._ways(arguments) <= ways

    def _ways(self, arguments: Any) -> set[tuple[str, tuple[str, ...]]]:
        """The ways in which the arguments are wrong: keywords with places, but not which item."""
        return {
            (breach.keyword, tuple(s for s in steps_of(breach.pointer) if not s.isdigit()))
            for breach in self.breaches(arguments)
        }

    def cases(self, stage: Stage, mode: InputMode) -> Iterator[Case]:
        """The cases of a stage, the most telling first, none twice.

        The random stage ends only where nothing new comes.
        """
        told: set[int] = set()
        repeats = 0
        for draft in self._drafts(stage, mode):
            arguments = draft.arguments
            key = hash(case_key(arguments))
            if key not in told and self.label(arguments) is mode:
                told.add(key)
                repeats = 0
                yield Case(
                    arguments,
                    mode,
                    draft.reason,
                    stage,
                    _pointer(draft.path),
                    draft.keyword if mode is InputMode.INVALID else "",
                )
            elif stage is Stage.RANDOM:
                repeats += 1
                if repeats > _MOST_REPEATS:
                    return

    @functools.cached_property
    def _root(self) -> Node:
        document = self._values.document
        return (Claim(document.root), Claim(Spot(_OBJECT, ())))

    def _drafts(self, stage: Stage, mode: InputMode) -> Iterator[Draft]:
        if not self._is_known:
            return
        try:
            yield from self._of_stage(stage, mode)
        except RecursionError:
            self._values.note(self._root, "", "it is nested too deeply to be followed to the end")

    def _of_stage(self, stage: Stage, mode: InputMode) -> Iterator[Draft]:
        slots = list(self.slots)
        is_valid = mode is InputMode.VALID
        if not slots:
            return
        match stage:
            case Stage.EXAMPLES:
                yield from example_drafts(self._values, slots)
            case Stage.COVERAGE:
                yield from (
                    valid_drafts(self._values, slots)
                    if is_valid
                    else invalid_drafts(self._values, self._wrongs, slots)
                )
            case Stage.DICTIONARY:
                yield from dictionary_drafts(self._values, slots)
            case Stage.PAIRS:
                yield from pair_drafts(self._values, slots[0].forms) if is_valid else ()
            case Stage.RANDOM:
                chance = Chance(self._values, Random(f"{self.seed}/{mode}"))  # noqa: S311
                yield from (
                    chance.valid_drafts(self._root)
                    if is_valid
                    else chance.invalid_drafts(self._root, slots, self._wrongs)
                )
            case _:
                assert_never(stage)


@functools.lru_cache(maxsize=4096)
def _pointer(path: Path) -> str:
    return pointer_of(path)


def case_key(arguments: Any) -> str:
    """Equal for arguments that are the same call."""
    return "" if arguments is ABSENT else wire_key(arguments)
