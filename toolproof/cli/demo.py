"""`toolproof demo`: what toolproof finds, on a server inside the package with planted bugs."""

import shutil
import sys
import tempfile
from contextlib import chdir
from dataclasses import replace
from typing import Any

import click

from toolproof.cli.options import debug_option
from toolproof.cli.outputs import Outputs, guarded, output_options
from toolproof.cli.screen import write
from toolproof.cli.work import Work

GOODBYE = """
That was a demo: each fault above is planted in a small server inside the package.
Now yours:  toolproof inspect -- python server.py
"""


@click.command()
@output_options
@debug_option
@click.pass_context
def demo(ctx: click.Context, /, **flags: Any) -> None:
    """Run everything against a small server that has planted bugs. Needs nothing set up.

    Exits 0 when it finds them, whatever they are.
    """
    from toolproof.config import load_config
    from toolproof.demo import FOLDER
    from toolproof.report import RunReport

    outputs = Outputs.of(ctx, flags).absolute()
    work = Work(ctx, outputs, flags)
    with tempfile.TemporaryDirectory(prefix="toolproof-demo-") as folder:
        for name in ("server.py", "toolproof.yaml"):
            shutil.copy(FOLDER / name, folder)

        def make() -> Any:
            command = {"server": {"command": [sys.executable, "server.py"]}}
            return work.execute(load_config("toolproof.yaml", command), phases=None)

        with chdir(folder):  # so that places read as they will at home: server.py:41
            report = guarded(make)
            if isinstance(report, RunReport):  # its folder is gone by then
                report = replace(report, repeat="toolproof demo")
            code = outputs.finish(report)
    if code == 1:
        write(GOODBYE)
    ctx.exit(0 if code == 1 else code or 4)
