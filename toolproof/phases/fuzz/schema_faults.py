"""What in a tool's schema keeps the generator from making inputs, as findings (pure)."""

from collections.abc import Iterator

from toolproof.phases.fuzz.generate import Plan
from toolproof.phases.fuzz.verdict import Kind, Verdict, verdict
from toolproof.report import Severity, Tool
from toolproof.schemas import References, RefKind, breaches_of_schema, dialect_of

_SEVERITIES = {"schema-unsatisfiable": Severity.WARNING, "dialect-unknown": Severity.WARNING}


def schema_faults(tool: Tool, plan: Plan) -> Iterator[Verdict]:
    """Why inputs for the tool are missing, or have no true labels; nothing for a sound schema."""
    if plan.problem is not None:
        rule = _rule(tool, plan.problem)
        severity = _SEVERITIES.get(rule, Severity.ERROR) if rule else Severity.INFO
        detail = (
            f"inputSchema cannot be used: {plan.problem}; inputs are made by what is sound of it"
        )
        yield verdict(
            Kind.BAD_SCHEMA, detail, rule or "unusable", severity=severity, rule=rule or None
        )
    elif not plan.slots:
        impossible = [note for note in plan.notes if note.why.startswith("no arguments can fit")]
        for note in impossible[:1]:
            where = f" at /inputSchema{note.pointer}" if note.pointer else ""
            rule = "schema-unsatisfiable"
            yield verdict(
                Kind.BAD_SCHEMA, f"{note.why}{where}", rule, severity=_SEVERITIES[rule], rule=rule
            )


def _rule(tool: Tool, problem: str) -> str:
    """The rule on schemas that is broken; "" where it is only too deep or too large for us."""
    schema = tool.input_schema
    dialect = dialect_of(schema)
    if dialect is None:
        return "dialect-unknown"
    if next(iter(breaches_of_schema(schema)), None) is not None:
        return "schema-invalid"
    kinds = {reference.kind for reference in References(schema, dialect)}
    if RefKind.EXTERNAL in kinds:
        return "ref-external"
    if RefKind.DANGLING in kinds:
        return "ref-unresolvable"
    return "pattern-invalid" if "pattern" in problem.rpartition(" at ")[2] else ""
