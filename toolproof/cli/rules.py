"""`toolproof rules`: what the checks look for."""

import click

from toolproof.cli.screen import Screen, write
from toolproof.errors import ConfigError

EPILOG = """\b
Examples:
  toolproof rules
  toolproof rules array-items-missing"""


@click.command(epilog=EPILOG)
@click.argument("rule_id", metavar="[ID]", required=False)
@click.option("--check", help="Only the rules of this family.")
@click.pass_obj
def rules(screen: Screen, rule_id: str | None, check: str | None) -> None:
    """List the rules, or explain the rule ID: why, a bad and a good example, fix, source."""
    from toolproof.phases.checks.page import render_page
    from toolproof.phases.checks.rules import all_rules
    from toolproof.report import Check
    from toolproof.text import nearest

    known = {rule.id: rule for rule in all_rules()}
    if rule_id is not None:
        if rule_id not in known:
            family = [rule for rule in known.values() if rule.check == rule_id]
            if not family:
                near = nearest(rule_id, list(known))
                raise ConfigError(
                    f"there is no rule {rule_id!r}",
                    hint=f"Did you mean {near!r}?" if near else "List them with `toolproof rules`.",
                )
            check = rule_id
        else:
            write(render_page(known[rule_id]))
            return
    if check is not None and check not in list(Check):
        near = nearest(check, [str(one) for one in Check])
        raise ConfigError(
            f"there is no family {check!r}",
            hint=f"Did you mean {near!r}?" if near else f"There are {', '.join(Check)}.",
        )
    from toolproof.reporters import rule_list

    shown = [rule.card for rule in known.values() if check in (None, rule.check)]
    write(rule_list.render(shown, width=screen.width, color=screen.color))
