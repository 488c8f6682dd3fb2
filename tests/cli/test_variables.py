"""Every option has a variable: TOOLPROOF_, the command, the option."""

import click
import pytest

from tests.cli.commanding import SHOP, Here, config
from toolproof.cli import COMMANDS, main, variable_of


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_variable_of_its_name(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    options = [param for param in command.params if isinstance(param, click.Option)]

    variables = [option.envvar for option in options]

    assert variables == [variable_of(name, option) for option in options]
    assert len(set(variables)) == len(variables)
    assert all(f"TOOLPROOF_{name.upper()}_" in str(variable) for variable in variables)


def test_variables_stand_for_options(here: Here) -> None:
    config(
        here.folder,
        "tests: [{name: a b, tool: get_book, args: {id: b-1}, tags: [x y]}]\n",
        "t.yaml",
    )

    done = here(
        "run",
        TOOLPROOF_RUN_CONFIG="t.yaml",
        TOOLPROOF_RUN_JUNIT="j.xml",
        TOOLPROOF_RUN_NO_CHECKS="1",
        TOOLPROOF_RUN_TAG="x y\nz",
        TOOLPROOF_RUN_K="a b",
    )

    assert done.code == 0
    assert "1 test ·" in done.stdout
    assert (here.folder / "j.xml").exists()


def test_an_option_wins_over_its_variable_and_an_empty_variable_is_none(here: Here) -> None:
    empty = here(
        "inspect", "--", *SHOP, TOOLPROOF_INSPECT_FAIL_ON="", TOOLPROOF_INSPECT_CLIENT="",
        TOOLPROOF_INSPECT_STRICT="", TOOLPROOF_INSPECT_SHARD="", TOOLPROOF_INSPECT_JUNIT="",
    )  # fmt: skip
    never = here("inspect", "--", *SHOP, TOOLPROOF_INSPECT_FAIL_ON="never")
    typed = here("inspect", "--fail-on", "error", "--", *SHOP, TOOLPROOF_INSPECT_FAIL_ON="never")

    assert (empty.code, never.code, typed.code) == (1, 0, 1)


def test_a_header_and_an_argument_in_a_variable_keep_their_blanks(here: Here) -> None:
    bad = here("inspect", "--url", "http://127.0.0.1:1/", TOOLPROOF_INSPECT_HEADER="A: b c\nnone")
    call = here("call", "search_books", "--", *SHOP, TOOLPROOF_CALL_ARG="words=Left Hand")

    assert "--header: expected 'NAME: VALUE', got 'none'" in bad.stdout
    assert "The Left Hand of Darkness" in call.stdout
