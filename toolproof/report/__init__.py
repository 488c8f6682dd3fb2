"""What a run found: frozen data, and the only thing that reporters see."""

from toolproof.report.bench import Bar, BenchResult, BenchSection, Comparison, Interval, Step
from toolproof.report.call import (
    Answer,
    CallResult,
    CallSeen,
    ConnectionLost,
    Fault,
    Malformed,
    RpcError,
    TimedOut,
)
from toolproof.report.checks import (
    WHOLE_SERVER,
    Check,
    CheckSection,
    ProbeResult,
    Problem,
    ProtocolSection,
    RuleCard,
)
from toolproof.report.collection import AnyReport, Collection, runs_of
from toolproof.report.evals import Confusion, EvalCaseResult, EvalSection, Trial
from toolproof.report.fuzz import FuzzFinding, FuzzResult, FuzzSection, InputMode
from toolproof.report.run import ErrorKind, Note, RunReport, in_order
from toolproof.report.section import (
    Outcome,
    PhaseName,
    Place,
    Reason,
    Section,
    Severity,
    Status,
)
from toolproof.report.server import Listed, ServerInfo, Timing, Tool
from toolproof.report.stale import StaleEntry
from toolproof.report.tests import Failure, ToolTestResult, ToolTestSection

__all__ = [
    "WHOLE_SERVER",
    "Answer",
    "AnyReport",
    "Bar",
    "BenchResult",
    "BenchSection",
    "CallResult",
    "CallSeen",
    "Check",
    "CheckSection",
    "Collection",
    "Comparison",
    "Confusion",
    "ConnectionLost",
    "ErrorKind",
    "EvalCaseResult",
    "EvalSection",
    "Failure",
    "Fault",
    "FuzzFinding",
    "FuzzResult",
    "FuzzSection",
    "InputMode",
    "Interval",
    "Listed",
    "Malformed",
    "Note",
    "Outcome",
    "PhaseName",
    "Place",
    "ProbeResult",
    "Problem",
    "ProtocolSection",
    "Reason",
    "RpcError",
    "RuleCard",
    "RunReport",
    "Section",
    "ServerInfo",
    "Severity",
    "StaleEntry",
    "Status",
    "Step",
    "TimedOut",
    "Timing",
    "Tool",
    "ToolTestResult",
    "ToolTestSection",
    "Trial",
    "in_order",
    "runs_of",
]
