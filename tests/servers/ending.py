"""Servers that end too early, too late, or not alone: `python -m tests.servers.ending TRAIT`."""

import os
import signal
import subprocess
import sys
import time

from tests.servers.mini import NOTHING, Message, echo, run, serve, text, write

SLEEP = (sys.executable, "-c", "import time; time.sleep(600)")


def before_anything() -> None:
    sys.stderr.write("ACME_API_KEY is not set\n")
    sys.exit(3)


def at_the_first_request() -> None:
    sys.stdin.readline()
    sys.exit(5)


def at_the_probe() -> None:
    """Ends at any first request but initialize."""

    def no(message: Message) -> object:
        sys.stderr.write(f"bad request: {message['method']}\n")
        sys.exit(1)

    serve({"server/discover": no})


def at_the_probe_slowly() -> None:
    """The same, ready after as many seconds as SLOW says: the probe has been given up."""
    time.sleep(float(os.environ["SLOW"]))
    at_the_probe()


def after_the_probe() -> None:
    """Refuses the probe, and ends: no more than one wrong request."""
    said = []

    def no(message: Message) -> object:
        said.append(message)
        write({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}})
        sys.exit(0)

    serve({"server/discover": no})


def after_initialize() -> None:
    def agree(message: Message) -> object:
        info = {"name": "mini", "version": "1.0"}
        result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info}
        write({"jsonrpc": "2.0", "id": message["id"], "result": result})
        sys.exit(0)

    serve({"initialize": agree})


def during_a_call() -> None:
    """Ends with 7 at text "die", by a signal at "segv", after its answer at "later"."""

    def call(message: Message) -> object:
        asked = message["params"]["arguments"].get("text")
        if asked == "die":
            sys.stderr.write("Traceback: boom\n")
            sys.stderr.flush()
            os._exit(7)
        if asked == "segv":
            os.kill(os.getpid(), signal.SIGSEGV)
        if asked == "later":
            write({"jsonrpc": "2.0", "id": message["id"], "result": echo(message)})
            os._exit(0)
        return echo(message)

    serve({"tools/call": call})


def without_arguments() -> None:
    """Ends where a call has no `arguments`."""

    def call(message: Message) -> object:
        return text(str(len(message["params"]["arguments"])))

    serve({"tools/call": call})


def during_a_list() -> None:
    def no(message: Message) -> object:
        del message
        sys.exit(4)

    serve({"tools/list": no})


def closes_stdout() -> None:
    """Closes its output in a call, and stays."""

    def call(message: Message) -> object:
        del message
        os.close(1)
        time.sleep(600)
        return NOTHING

    serve({"tools/call": call})


def closes_stdin() -> None:
    """Closes its input after the list, and stays."""

    def listing(message: Message) -> object:
        write({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": []}})
        os.close(0)
        time.sleep(600)
        return NOTHING

    serve({"tools/list": listing})


def ignores_eof() -> None:
    serve(last=lambda: time.sleep(600))


def ignores_all() -> None:
    """Neither the end of input nor SIGTERM ends it."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve(last=lambda: time.sleep(600))


def ends_with_one() -> None:
    serve(last=lambda: sys.exit(1))


def child_in_group() -> None:
    """Leaves a child in its process group, which holds stdout."""
    serve(first=lambda: _tell(subprocess.Popen(SLEEP)))


def child_out_of_group() -> None:
    """Leaves a child in a session of its own."""
    serve(first=lambda: _tell(subprocess.Popen(SLEEP, start_new_session=True)))


def child_that_follows() -> None:
    """Its child leaves by itself, a moment after its parent."""
    command = (sys.executable, "-c", "import sys, time; sys.stdin.read(); time.sleep(0.05)")
    pipe = subprocess.PIPE
    serve(first=lambda: _tell(subprocess.Popen(command, start_new_session=True, stdin=pipe)))


def crash_leaves_child() -> None:
    """Ends in a call; its child holds stdout and lives on."""

    def call(message: Message) -> object:
        del message
        os._exit(9)

    serve({"tools/call": call}, first=lambda: _tell(subprocess.Popen(SLEEP)))


def _tell(child: subprocess.Popen[bytes]) -> None:
    sys.stderr.write(f"child {child.pid}\n")
    sys.stderr.flush()


TRAITS = {name: value for name, value in globals().items() if callable(value)}

if __name__ == "__main__":
    run(TRAITS)
