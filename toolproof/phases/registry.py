"""The phases, in the order in which they run."""

from toolproof.phases.bench.entry import PHASE as BENCH
from toolproof.phases.checks.entry import PHASE as CHECKS
from toolproof.phases.evals.entry import PHASE as EVALS
from toolproof.phases.fuzz.entry import PHASE as FUZZ
from toolproof.phases.phase import Phase
from toolproof.phases.protocol.entry import PHASE as PROTOCOL
from toolproof.phases.tests.entry import PHASE as TESTS

PHASES: tuple[Phase, ...] = (CHECKS, PROTOCOL, TESTS, EVALS, BENCH, FUZZ)
