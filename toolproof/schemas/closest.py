"""Of several branches that do not fit, the one that was most likely meant."""

from collections.abc import Sequence

from toolproof.schemas.findings import Finding


def closest_of(finding: Finding) -> Finding | None:
    """What the branch that comes closest finds, down to a finding without branches.

    None where a branch fits: with `oneOf` too many may.
    """
    while finding.branches:
        if not all(finding.branches):
            return None
        branch = min(finding.branches, key=lambda branch: _distance(branch, len(finding.path)))
        finding = min(branch, key=lambda one: -len(one.path))
    return finding


def _distance(branch: Sequence[Finding], depth: int) -> tuple[bool, bool, int, int]:
    """How far a branch is from fitting: of another type, another kind, with more that is wrong.

    Args:
        depth: How deep the part of the value is that all branches are about.
    """
    keywords = [(one.schema_path[-1] if one.schema_path else "", len(one.path)) for one in branch]
    return (
        any(keyword in _TYPES and level == depth for keyword, level in keywords),
        any(keyword in _NAMES and level <= depth + 1 for keyword, level in keywords),
        len(branch),
        -max(level for _, level in keywords),
    )


_TYPES = frozenset({"type"})
_NAMES = frozenset({"const", "enum"})  # a property such as `kind` tells the branches apart
