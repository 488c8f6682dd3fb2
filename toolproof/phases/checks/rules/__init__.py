"""The rules, one per file: `description_missing.py` defines `description_missing`."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from toolproof.phases.checks.rule import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, in the order of their ids; found, not listed."""
    rules: list[Rule] = []
    for module in iter_modules(__path__):
        rule = getattr(import_module(f"{__name__}.{module.name}"), module.name, None)
        if not isinstance(rule, Rule):
            raise TypeError(f"{module.name}.py must define the rule {module.name}")
        rules.append(rule)
    return tuple(sorted(rules, key=lambda rule: rule.id))
