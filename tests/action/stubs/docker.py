"""A container engine that runs the command on this machine, with what a container would see of it.

Of the caller's environment only what `--env` names gets in; toolproof's place in the image is the
stub's. STUB_FOLDER holds `calls` (one JSON list of arguments a line) and the pids of what runs;
STUB_INFO is the engine's answer to `info`, STUB_DOCKER_STATUS makes `run` end with that status.
"""

import json
import os
import signal
import sys
from pathlib import Path

FOLDER = Path(os.environ["STUB_FOLDER"])
ALONE = {"--rm"}


def main(arguments: list[str]) -> int:
    with (FOLDER / "calls").open("a", encoding="utf-8") as calls:
        calls.write(json.dumps(arguments) + "\n")
    match arguments:
        case ["info", *_]:
            print(os.environ.get("STUB_INFO", "linux [name=seccomp,profile=builtin]"))
            return 0 if os.environ.get("STUB_INFO") != "" else 1
        case ["build", *_]:
            return int(os.environ.get("STUB_BUILD_STATUS", "0"))
        case ["kill", *options, name]:
            number = signal.Signals[f"SIG{options[-1]}"] if options else signal.SIGKILL
            try:
                os.kill(int((FOLDER / name).read_text()), number)
            except (OSError, ValueError):
                return 1
            return 0
        case ["run", *rest]:
            return run(rest)
        case _:
            return 1


def run(arguments: list[str]) -> int:  # noqa: RET503 - its last line does not return
    """What `docker run` does, as far as the action asks for it."""
    if "STUB_DOCKER_STATUS" in os.environ:
        return int(os.environ["STUB_DOCKER_STATUS"])
    env = {"PATH": os.environ["PATH"], "TOOLPROOF_IN_CONTAINER": "1"}
    env |= {name: value for name, value in os.environ.items() if name.startswith("STUB_")}
    at = 0
    while arguments[at].startswith("-"):
        option = arguments[at]
        at += 1 if option in ALONE else 2
        value = arguments[at - 1]
        if option == "--env":
            name, given, text = value.partition("=")
            if given or name in os.environ:
                env[name] = text if given else os.environ[name]
        elif option == "--name":
            (FOLDER / value).write_text(str(os.getpid()))
        elif option == "--workdir":
            os.chdir(value)
    command = [
        env["STUB_TOOLPROOF"] if word == "/opt/toolproof/bin/toolproof" else word
        for word in arguments[at + 1 :]
    ]
    os.execvpe(command[0], command, env)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
