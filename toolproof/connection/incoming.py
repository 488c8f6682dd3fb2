"""What a server sends of its own accord: requests, which are answered at once, and notifications."""

import math
from collections import Counter, deque
from collections.abc import Callable
from typing import Any, Protocol

from toolproof.connection.answers import ClientAnswers
from toolproof.connection.observations import Kind
from toolproof.connection.waiting import Waiting
from toolproof.connection.wire import MODERN, JsonObject
from toolproof.connection.witness import Witness
from toolproof.text import shorten

KEPT = 1000
"""Notifications that are kept; all are counted."""
_KEPT_BYTES = 64 << 10
_MOST_METHODS = 1000
_OTHER = "(other methods)"
_CHANGED = {
    f"notifications/{what}/list_changed": what for what in ("tools", "resources", "prompts")
}

Notification = tuple[str, Any]
"""Method and params; the params of one over 64 KiB are not kept."""
Subscriber = Callable[[str, Any], None]


class Answerer(Protocol):
    """What this needs of a session."""

    witness: Witness
    waiting: Waiting
    answers: ClientAnswers
    revision: str
    over_http: bool
    last_id: int
    given_up: dict[int, float]

    def answer(self, message: JsonObject) -> None: ...
    def now(self) -> float: ...


class Incoming:
    """Takes the server's requests and notifications.

    Attributes:
        counts: How many notifications came, by method.
        kept: The last of them.
        subscribers: Called with method and params of each.
    """

    def __init__(self, session: Answerer) -> None:
        self._session = session
        self.counts: Counter[str] = Counter()
        self.kept: deque[Notification] = deque(maxlen=KEPT)
        self.subscribers: list[Subscriber] = []

    def take(self, message: JsonObject, raw: bytes) -> None:
        """Handle one message that has a method."""
        session = self._session
        if message.get("jsonrpc") != "2.0":
            session.witness.see(Kind.RESPONSE_INVALID, 'a message whose jsonrpc is not "2.0"')
        method, ident = message["method"], message.get("id")
        if not isinstance(method, str):
            session.witness.see(Kind.RESPONSE_INVALID, "a message whose method is no string")
        elif "id" not in message:
            self._notified(method, message.get("params"), raw)
        elif ident is None:
            words = f"{shorten(method, 80)} came with the id null"
            session.witness.see(Kind.RESPONSE_INVALID, words)
            self._notified(method, message.get("params"), raw)
        elif isinstance(ident, str) or type(ident) is int:
            self._asked(method, ident, message.get("params"))
        else:
            words = f"{shorten(method, 80)} came with an id that is neither string nor integer"
            session.witness.see(Kind.RESPONSE_INVALID, words)

    def _asked(self, method: str, ident: str | int, params: Any) -> None:
        session = self._session
        modern = session.revision == MODERN
        if method == "ping" and not modern:
            session.answer({"jsonrpc": "2.0", "id": ident, "result": {}})
            return
        reply = session.answers.reply(method, params)
        if modern or not reply.declared:
            shown = shorten(method, 80)
            words = f"the server sent a request, {shown}, which {MODERN} does not know"
            if not modern:
                words = f"the server asked for {shown}, which was not declared"
            session.witness.see(Kind.UNDECLARED_REQUEST, words, asked=shown)
        said = {"error": reply.error} if reply.result is None else {"result": reply.result}
        session.answer({"jsonrpc": "2.0", "id": ident, **said})

    def _notified(self, method: str, params: Any, raw: bytes) -> None:
        known = method in self.counts or len(self.counts) < _MOST_METHODS
        self.counts[method if known else _OTHER] += 1
        small = len(raw) <= _KEPT_BYTES
        self.kept.append((method if small else shorten(method), params if small else None))
        if method == "notifications/progress":
            self._progress(params if isinstance(params, dict) else {})
        elif method in _CHANGED:
            what = _CHANGED[method]
            self._session.witness.see(Kind.LIST_CHANGED, f"the list of {what} changed", what=what)
        for subscriber in self.subscribers:
            subscriber(method, params)

    def _progress(self, params: JsonObject) -> None:
        """Let a report of progress start the idle limit of its request anew, if it is valid."""
        session = self._session
        token, value = params.get("progressToken"), params.get("progress")
        pending = session.waiting.by_id.get(token) if type(token) is int else None
        fault = ""
        if pending is None or not pending.tokened:
            if type(token) is not int or not 0 < token <= session.last_id or pending is not None:
                fault = "progress with a token that was not given"
            elif token not in session.given_up and not session.over_http:
                fault = f"progress on request {token} after its answer"
        elif (reached := _number(value)) is None:
            fault = "progress without a number"
        elif reached <= pending.reached:
            fault = f"progress that does not increase: {reached:g} after {pending.reached:g}"
        else:
            pending.reached = reached
            pending.progress += 1
            pending.deadline = min(session.now() + pending.idle_s, pending.limit)
        if fault:
            session.witness.see(Kind.PROGRESS_INVALID, fault)


def _number(value: Any) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # an integer of more than 308 digits
        return None
