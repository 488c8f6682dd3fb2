"""What an answer means: whose it is, and whether it is one.

The table of `wire.md`, section 4. Functions over a session, as they are its other half.
"""

from typing import Any, Protocol

from toolproof.connection.answers import ClientAnswers
from toolproof.connection.messages import short_json, type_words
from toolproof.connection.observations import Kind
from toolproof.connection.stateless import complete
from toolproof.connection.waiting import Pending, Waiting
from toolproof.connection.wire import Failure, JsonObject, Outcome
from toolproof.connection.witness import Witness
from toolproof.text import shorten

_BATCHES = "2025-03-26"
_SHOWN = 200
_STRAYS = 3
_LONGEST_ID = 18


class Asker(Protocol):
    """What these functions need of a session."""

    witness: Witness
    waiting: Waiting
    answers: ClientAnswers
    revision: str
    last_id: int
    concluded: Pending | None  # the last request that had an answer with its id
    after_notification: int
    given_up: dict[int, float]
    strays: list[str]
    over_http: bool

    def on_message(self, message: Any, raw: bytes, *, reply_to: int | None = None) -> None: ...
    def finish(self, pending: Pending, outcome: Outcome) -> None: ...
    def answered(self) -> None: ...
    def now(self) -> float: ...
    def hold(self, pending: Pending, message: JsonObject, raw: bytes) -> None: ...
    def send_request(self, pending: Pending, params: JsonObject, stamp: JsonObject) -> None: ...
    @property
    def stamp(self) -> JsonObject: ...


def usual(pending: Pending, message: JsonObject) -> bool:
    """Is it a faultless result of a tool call, with nothing else to do about it?"""
    result = message.get("result")
    return (
        pending.method == "tools/call"
        and type(result) is dict
        and "error" not in message
        and message.get("jsonrpc") == "2.0"
        and (not pending.stamped or result.get("resultType") == "complete")
        and pending.held is None
    )


def conclude(session: Asker, pending: Pending, message: JsonObject, raw: bytes) -> None:
    """End a request with its answer; the request has been taken out of the table."""
    session.answered()
    if pending.held is not None:  # so that error was not for this request
        _notification_answered(session, pending.held[0])
        pending.held = None
    if message.get("jsonrpc") != "2.0":
        found = short_json(message["jsonrpc"]) if "jsonrpc" in message else "missing"
        _see(session, pending, Kind.RESPONSE_INVALID, f'jsonrpc is {found}, it must be "2.0"')
    result = message.get("result")
    if type(result) is dict and "error" not in message:
        if not pending.stamped or complete(session, pending, result, raw):
            session.finish(pending, Outcome(result=result, raw=raw))
        return
    fault = _fault(message)
    if fault is None:
        error = message["error"]
        if not isinstance(error.get("message"), str):
            _see(session, pending, Kind.RESPONSE_INVALID, "an error without a message text")
        session.finish(pending, Outcome(error=error, raw=raw))
        return
    _see(session, pending, Kind.RESPONSE_INVALID, fault)
    detail = f"{fault}: {shorten(raw[:4096].decode(errors='replace'), _SHOWN)}"
    session.finish(pending, Outcome(failure=Failure.MALFORMED, detail=detail, raw=raw))


def _fault(message: JsonObject) -> str | None:
    """Why it is neither a result nor an error; None for a valid error."""
    if "result" in message:
        if "error" in message:
            return "a response with both result and error"
        return f"a response whose result is {type_words(message['result'])}, not an object"
    if "error" not in message:
        return "a response with neither result nor error"
    error = message["error"]
    if not isinstance(error, dict):
        return f"a response whose error is {type_words(error)}, not an object"
    if type(error.get("code")) is not int:
        found = short_json(error["code"]) if "code" in error else "missing"
        return f"a response whose error code is {found}, not an integer"
    return None


def batch(session: Asker, messages: list[Any], raw: bytes, reply_to: int | None) -> None:
    """Handle each element of an array."""
    if session.revision != _BATCHES:
        session.witness.see(
            Kind.RESPONSE_INVALID,
            f"an array of messages, which only {_BATCHES} allows",
        )
    for message in messages:
        if isinstance(message, dict):
            session.on_message(message, raw, reply_to=reply_to)


def misaddressed(session: Asker, message: JsonObject, raw: bytes, reply_to: int | None) -> None:
    """An answer that does not bear the id of a request in flight."""
    ident = message.get("id")
    if "method" in message:
        session.witness.see(Kind.RESPONSE_INVALID, "a response that has a method too")
        message = {key: value for key, value in message.items() if key != "method"}
        session.on_message(message, raw, reply_to=reply_to)
    elif (pending := _meant(session, ident)) is not None:
        _wrong_id(session, message, raw, pending)
        del session.waiting.by_id[pending.ident]
        conclude(session, pending, message, raw)
    elif ident is None and (reply_to is None or "result" not in message):
        _without_id(session, message, raw, reply_to)
    elif type(ident) is int and 0 < ident <= session.last_id:
        _again(session, ident, raw)
    else:
        _with_unknown_id(session, message, raw, reply_to)


def settle(session: Asker, pending: Pending) -> None:
    """No other answer came in time, so the error without an id was this request's."""
    if pending.held is not None and session.waiting.by_id.get(pending.ident) is pending:
        del session.waiting.by_id[pending.ident]
        adopt(session, pending)


def adopt(session: Asker, pending: Pending) -> None:
    """End a request with the answer of no id, or of a wrong one, that was held for it."""
    held, pending.held = pending.held, None
    if held is None:
        return
    message, raw = held
    _wrong_id(session, message, raw, pending)
    if message.get("id") is None and "error" in message:
        conclude(session, pending, message, raw)
        return
    session.answered()
    shown = short_json(message["id"]) if "id" in message else "missing"
    detail = f"answered with id {shown} in place of {pending.ident}"
    session.finish(pending, Outcome(failure=Failure.MALFORMED, detail=detail, raw=raw))


def _meant(session: Asker, ident: Any) -> Pending | None:
    """The request that an id of another type stands for: "7" or 7.0 for 7."""
    if isinstance(ident, float) and ident.is_integer():
        return session.waiting.by_id.get(int(ident))
    if isinstance(ident, str) and ident.isascii() and ident.isdigit() and len(ident) <= _LONGEST_ID:
        return session.waiting.by_id.get(int(ident))
    return None


def _sole(session: Asker, reply_to: int | None) -> Pending | None:
    if reply_to is not None:
        return session.waiting.by_id.get(reply_to)
    return session.waiting.sole()


def _without_id(session: Asker, message: JsonObject, raw: bytes, reply_to: int | None) -> None:
    if "error" not in message:
        if "result" in message:
            _notification_answered(session, message)
        else:
            shown = shorten(raw[:4096].decode(errors="replace"), _SHOWN)
            session.witness.see(Kind.RESPONSE_INVALID, f"neither request nor response: {shown}")
        return
    text = short_json(message["error"])
    pending = _sole(session, reply_to)
    if reply_to is None and (_only_notified(session) or "notifications/" in text):
        _notification_answered(session, message)
    elif pending is None:
        _wrong_id(session, message, raw, None)
        if len(session.strays) < _STRAYS:
            session.strays.append(f"the server sent an error without an id: {text}")
    else:
        _take_or_hold(session, pending, message, raw, reply_to)


def _with_unknown_id(session: Asker, message: JsonObject, raw: bytes, reply_to: int | None) -> None:
    pending = _sole(session, reply_to)
    if reply_to is None and _only_notified(session):
        _notification_answered(session, message)
    elif pending is None:
        _wrong_id(session, message, raw, None)
    else:
        _take_or_hold(session, pending, message, raw, reply_to)


def _only_notified(session: Asker) -> bool:
    """Is a notification the last that was sent, and nothing in flight?"""
    return not session.waiting.by_id and session.after_notification > session.last_id


def _take_or_hold(
    session: Asker, pending: Pending, message: JsonObject, raw: bytes, reply_to: int | None
) -> None:
    """Let it be the answer to the one request in flight, at once or if no other comes.

    The first request after a notification is in doubt: the answer may be to the notification.
    """
    if reply_to is None and pending.ident == session.after_notification and not pending.held:
        session.hold(pending, message, raw)
    else:
        pending.held = (message, raw)
        del session.waiting.by_id[pending.ident]
        adopt(session, pending)


def _again(session: Asker, ident: int, raw: bytes) -> None:
    """An answer for a request that has its outcome."""
    gave_up_at = session.given_up.pop(ident, None)
    if gave_up_at is None:
        shown = shorten(raw[:4096].decode(errors="replace"), _SHOWN)
        last = session.concluded
        first = last if last is not None and last.ident == ident else None
        session.witness.log.add(
            Kind.SECOND_ANSWER,
            f"a second answer to request {ident}: {shown}",
            tool=None if first is None else first.tool,
            method=None if first is None else first.method,
        )
        return
    session.answered()
    if session.now() < gave_up_at:
        return
    late_s = round(session.now() - gave_up_at, 3)
    session.witness.see(
        Kind.LATE_ANSWER, f"request {ident} was answered {late_s:g} s late", late_s=late_s
    )


def _wrong_id(session: Asker, message: JsonObject, raw: bytes, pending: Pending | None) -> None:
    shown = short_json(message["id"]) if "id" in message else "missing"
    text = _text_of(message) or shorten(raw[:4096].decode(errors="replace"), _SHOWN)
    detail = f"a response whose id is {shown}"
    if pending is not None:
        detail += f", not {pending.ident}"
    detail += f": {text}"
    if pending is None:
        session.witness.see(Kind.WRONG_RESPONSE_ID, detail, id=shown, text=text)
    else:
        _see(session, pending, Kind.WRONG_RESPONSE_ID, detail, id=shown, text=text)


def _notification_answered(session: Asker, message: JsonObject) -> None:
    member = "error" if "error" in message else "result"
    said = f"{member} {short_json(message[member])}" if member in message else short_json(message)
    session.witness.log.add(
        Kind.NOTIFICATION_ANSWERED,
        f"a notification was answered with {said}",
        body=short_json(message),
    )


# Words


def _see(session: Asker, pending: Pending, kind: Kind, detail: str, **facts: Any) -> None:
    session.witness.log.add(kind, detail, tool=pending.tool, method=pending.method, **facts)


def _text_of(message: JsonObject) -> str:
    error = message.get("error")
    text = error.get("message") if isinstance(error, dict) else None
    return shorten(text, _SHOWN) if isinstance(text, str) else ""
