"""A headless Chromium, spoken to over a pair of pipes: pages, clicks, keys, pictures, paper.

Its DevTools protocol is JSON with a NUL behind each message, on file descriptors 3 and 4:
https://chromedevtools.github.io/devtools-protocol/
"""

import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROGRAM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
MISSING = "needs Chromium: no chromium, chromium-browser or google-chrome is on the PATH"
_OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--hide-scrollbars", "--no-first-run", "--disable-extensions", "--disable-component-update"),
    *("--disable-background-networking", "--force-color-profile=srgb", "--remote-debugging-pipe"),
)
_PATIENCE_S = 60
_KEYS: Mapping[str, tuple[str, int, str]] = {
    "Tab": ("Tab", 9, ""),
    "Enter": ("Enter", 13, "\r"),
    "Escape": ("Escape", 27, ""),
    "/": ("Slash", 191, "/"),
    "j": ("KeyJ", 74, "j"),
    "k": ("KeyK", 75, "k"),
}


class PageError(Exception):
    """What the browser or a script in the page said when asked for something."""


class Chromium:
    """One browser process; `page` opens pages in it."""

    def __init__(self, program: str, home: str) -> None:
        asked, self._ask = os.pipe()
        self._answers, told = os.pipe()

        def as_three_and_four() -> None:
            # Through high numbers: either end may be 3 or 4 already.
            high = [os.dup(end) for end in (asked, told)]
            high = [os.dup(end) if end < 5 else end for end in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [program, *_OPTIONS, f"--user-data-dir={home}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=as_three_and_four,  # noqa: PLW1509 - no thread runs yet that holds a lock
            start_new_session=True,
        )
        os.close(asked)
        os.close(told)
        self._rest = b""
        self._last = 0
        self.events: list[dict[str, Any]] = []

    def ask(self, method: str, session: str = "", **values: Any) -> dict[str, Any]:
        """One command's result; what happens meanwhile is kept in `events`."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": values}
        if session:
            message["sessionId"] = session
        os.write(self._ask, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise PageError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def wait_for(self, method: str, session: str) -> dict[str, Any]:
        """The first event of this name since the last `events.clear()`."""
        for event in self.events:
            if event.get("method") == method and event.get("sessionId") == session:
                return event
        while True:
            event = self._next()
            self.events.append(event)
            if event.get("method") == method and event.get("sessionId") == session:
                return event

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            read = os.read(self._answers, 1 << 20)
            if not read:
                raise PageError("the browser ended")
            self._rest += read
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def close(self) -> None:
        """End the browser, and what it started."""
        try:
            self.ask("Browser.close")
            self.process.wait(_PATIENCE_S)
        except (PageError, OSError, subprocess.TimeoutExpired):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self._ask)
        os.close(self._answers)

    @contextmanager
    def page(
        self, address: str, *, width: int = 1400, height: int = 900, dark: bool = False
    ) -> Iterator["Page"]:
        """A page once it is loaded, in a window of that many pixels."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        page = Page(self, attached["sessionId"])
        try:
            for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"):
                page.ask(f"{domain}.enable")
            theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
            page.ask("Emulation.setEmulatedMedia", features=[theme])
            page.resize(width, height)
            page.open(address)
            yield page
        finally:
            self.ask("Target.closeTarget", targetId=target)


@dataclass
class Page:
    """One page, and what it did: requests, and words on the console."""

    browser: Chromium
    session: str
    requests: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)

    def ask(self, method: str, **values: Any) -> dict[str, Any]:
        found = self.browser.ask(method, self.session, **values)
        self._note()
        return found

    def _note(self) -> None:
        for event in self.browser.events:
            values = event.get("params", {})
            match event.get("method"):
                case "Network.requestWillBeSent":
                    self.requests.append(values["request"]["url"])
                case "Runtime.consoleAPICalled":
                    self.console.append(json.dumps(values["args"]))
                case "Runtime.exceptionThrown":
                    self.console.append(json.dumps(values["exceptionDetails"]))
                case "Log.entryAdded":
                    self.console.append(values["entry"]["text"])
        self.browser.events.clear()

    def open(self, address: str) -> None:
        """Load it, and wait until its script has run."""
        self.ask("Page.navigate", url=address)
        self.run("new Promise(r => document.readyState === 'complete' ? r() : onload = r)")

    def resize(self, width: int, height: int) -> None:
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def run(self, script: str) -> Any:
        """The value of a script of ours in the page."""
        found = self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in found:
            raise PageError(json.dumps(found["exceptionDetails"]))
        return found["result"].get("value")

    def click(self, selector: str) -> None:
        """A click of the mouse on the middle of an element, where it is shown."""
        at = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return {x: r.x + r.width / 2, y: r.y + r.height / 2}; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    def press(self, key: str, *, shift: bool = False) -> None:
        """A key by its name; see `_KEYS`."""
        code, number, text = _KEYS[key]
        for kind in ("keyDown", "keyUp"):
            self.ask(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=code,
                windowsVirtualKeyCode=number,
                text=text if kind == "keyDown" else "",
                modifiers=8 if shift else 0,
            )

    def write(self, text: str) -> None:
        """Text where the focus is."""
        self.ask("Input.insertText", text=text)

    def picture(self, path: Path, *, whole: bool = False, most: int = 4000) -> None:
        """What is seen as PNG; with `whole` the page down to its end, `most` pixels at most."""
        if whole:
            size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
            width = self.run("innerWidth")
            self.resize(width, min(int(size["height"]) + 1, most))
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))

    def paper(self, path: Path) -> None:
        """The page as PDF, A4."""
        data = self.ask("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"]
        path.write_bytes(base64.b64decode(data))


@contextmanager
def chromium() -> Iterator[Chromium]:
    """The machine's Chromium, ended with all that it started."""
    if PROGRAM is None:
        raise PageError(MISSING)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        browser = Chromium(PROGRAM, home)
        try:
            yield browser
        finally:
            browser.close()
