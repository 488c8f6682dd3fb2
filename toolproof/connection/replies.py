"""What an answer means: whose it is, whether it is one, and what the stateless revision adds.

The table of `wire.md`, section 4. Functions over a session, as they are its other half.
"""

import json
from typing import Any, Protocol

from toolproof.connection.answers import ClientAnswers, setting_for
from toolproof.connection.messages import repeated_members
from toolproof.connection.observations import Kind
from toolproof.connection.waiting import Pending, Waiting
from toolproof.connection.wire import Failure, JsonObject, Outcome
from toolproof.connection.witness import Witness
from toolproof.text import listed, shorten

MOST_ROUNDS = 10
"""How often a request is answered with a request for more input before we stop."""
_MULTI_ROUND = ("tools/call", "prompts/get", "resources/read")
_CACHED = (
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
    "resources/read",
    "server/discover",
)
_BATCHES = "2025-03-26"
_SHOWN = 200
_STRAYS = 3
_LONGEST_ID = 18
_LARGEST_LOOKED_AT = 4 << 20  # bytes of a message in which doubled members are looked for


class Asker(Protocol):
    """What these functions need of a session."""

    witness: Witness
    waiting: Waiting
    answers: ClientAnswers
    revision: str
    last_id: int
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
        found = _json(message["jsonrpc"]) if "jsonrpc" in message else "missing"
        _see(session, pending, Kind.RESPONSE_INVALID, f'jsonrpc is {found}, it must be "2.0"')
    result = message.get("result")
    if type(result) is dict and "error" not in message:
        if not pending.stamped or _complete(session, pending, result, raw):
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
        return f"a response whose result is {_type(message['result'])}, not an object"
    if "error" not in message:
        return "a response with neither result nor error"
    error = message["error"]
    if not isinstance(error, dict):
        return f"a response whose error is {_type(error)}, not an object"
    if type(error.get("code")) is not int:
        found = _json(error["code"]) if "code" in error else "missing"
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
        pending = _sole(session, reply_to)
        _wrong_id(session, message, raw, pending)
        if pending is not None:
            session.answered()
            del session.waiting.by_id[pending.ident]
            shown = _json(ident) if "id" in message else "missing"
            detail = f"answered with id {shown} in place of {pending.ident}"
            outcome = Outcome(failure=Failure.MALFORMED, detail=detail, raw=raw)
            session.finish(pending, outcome)


def settle(session: Asker, pending: Pending) -> None:
    """No other answer came in time, so the error without an id was this request's."""
    if pending.held is not None and session.waiting.by_id.get(pending.ident) is pending:
        del session.waiting.by_id[pending.ident]
        adopt(session, pending)


def adopt(session: Asker, pending: Pending) -> None:
    """End a request with the error without an id that was held for it."""
    held, pending.held = pending.held, None
    if held is not None:
        message, raw = held
        _wrong_id(session, message, raw, pending)
        conclude(session, pending, message, raw)


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
    text = _json(message["error"])
    pending = _sole(session, reply_to)
    nothing_else_sent = not session.waiting.by_id and session.after_notification > session.last_id
    if reply_to is None and (nothing_else_sent or "notifications/" in text):
        _notification_answered(session, message)
    elif pending is None:
        _wrong_id(session, message, raw, None)
        if len(session.strays) < _STRAYS:
            session.strays.append(f"the server sent an error without an id: {text}")
    elif reply_to is None and pending.ident == session.after_notification and not pending.held:
        session.hold(pending, message, raw)  # it may be for the notification before
    else:
        pending.held = (message, raw)
        del session.waiting.by_id[pending.ident]
        adopt(session, pending)


def _again(session: Asker, ident: int, raw: bytes) -> None:
    """An answer for a request that has its outcome."""
    gave_up_at = session.given_up.pop(ident, None)
    if gave_up_at is None:
        shown = shorten(raw[:4096].decode(errors="replace"), _SHOWN)
        session.witness.see(Kind.SECOND_ANSWER, f"a second answer to request {ident}: {shown}")
        return
    session.answered()
    late_s = round(session.now() - gave_up_at, 3)
    session.witness.see(
        Kind.LATE_ANSWER, f"request {ident} was answered {late_s:g} s late", late_s=late_s
    )


def _wrong_id(session: Asker, message: JsonObject, raw: bytes, pending: Pending | None) -> None:
    shown = _json(message["id"]) if "id" in message else "missing"
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
    session.witness.log.add(
        Kind.NOTIFICATION_ANSWERED,
        f"a notification was answered with {member} {_json(message[member])}",
        body=_json(message),
    )


# The stateless revision


def _complete(session: Asker, pending: Pending, result: JsonObject, raw: bytes) -> bool:
    """Whether a result is the last word; tells which members it lacks."""
    if pending.method == "server/discover":  # `handshake` judges it: it may be an older server's
        return True
    kind = result.get("resultType")
    if kind == "input_required" and pending.method in _MULTI_ROUND:
        _input_required(session, pending, result, raw)
        return False
    if kind != "complete" or pending.method in _CACHED:
        tell_modern_members(session.witness, pending.method, result, tool=pending.tool)
    return True


def tell_modern_members(
    witness: Witness, method: str, result: JsonObject, *, tool: str | None = None
) -> None:
    """Observe the members that 2026-07-28 wants in a result of this method, where they are wrong."""
    wrong = []
    if result.get("resultType") != "complete":
        wrong.append("resultType")
    if method in _CACHED:
        age = result.get("ttlMs")
        if type(age) is not int or age < 0:
            wrong.append("ttlMs")
        if result.get("cacheScope") not in ("public", "private"):
            wrong.append("cacheScope")
    if wrong:
        found = ", ".join(f"{n} is {_json(result[n]) if n in result else 'missing'}" for n in wrong)
        witness.log.add(
            Kind.MODERN_RESULT_FIELDS,
            f"in the result of {method}, {found}",
            tool=tool,
            method=method,
            request=method,
            members=", ".join(wrong),
        )


def tell_repeated_members(witness: Witness, method: str, raw: bytes) -> None:
    """Observe members that an object of a message names twice: parsers keep one or the other."""
    if len(raw) <= _LARGEST_LOOKED_AT and (names := repeated_members(raw)):
        witness.log.add(
            Kind.DUPLICATE_KEYS,
            f"in the answer to {method}, an object names a member twice: "
            f"{listed(shorten(name, 60) for name in names)}",
            method=method,
            request=method,
        )


def _input_required(session: Asker, pending: Pending, result: JsonObject, raw: bytes) -> None:
    """Ask again with what the server wants to know, or say what nobody answers."""
    asked = result.get("inputRequests")
    asked = asked if isinstance(asked, dict) else {}
    answers: JsonObject = {}
    missing: list[str] = []
    for key, entry in asked.items():
        request = entry if isinstance(entry, dict) else {}
        method = request.get("method")
        method = method if isinstance(method, str) else "nothing"
        reply = session.answers.reply(method, request.get("params"))
        if not reply.declared:
            words = f"asked for {shorten(method, 80)}, which was not declared"
            asked_for = shorten(method, 80)
            _see(session, pending, Kind.UNDECLARED_REQUEST, words, asked=asked_for)
        if reply.result is None:
            missing.append(_wish(method, request.get("params")))
        else:
            answers[key] = reply.result
    fault = ""
    if missing:
        fault = f"the server needs input: {listed(missing)}"
    elif not asked and not isinstance(result.get("requestState"), str):
        fault = "the result asks for input, but has neither inputRequests nor requestState"
    elif pending.rounds >= MOST_ROUNDS:
        fault = f"the server asked for more input {MOST_ROUNDS + 1} times"
    if fault:
        session.finish(pending, Outcome(failure=Failure.NEEDS_INPUT, detail=fault, raw=raw))
        return
    pending.rounds += 1
    pending.deadline = min(session.now() + pending.idle_s, pending.limit)
    params = dict(pending.params)
    if asked:
        params["inputResponses"] = answers
    if "requestState" in result:
        params["requestState"] = result["requestState"]
    session.send_request(pending, params, session.stamp)


def _wish(method: str, params: Any) -> str:
    message = params.get("message") if isinstance(params, dict) else None
    words = (
        f'{shorten(method, 80)} "{shorten(message, 80)}"' if isinstance(message, str) else method
    )
    setting = setting_for(method)
    return f"{words} (set {setting})" if setting else words


# Words


def _see(session: Asker, pending: Pending, kind: Kind, detail: str, **facts: Any) -> None:
    session.witness.log.add(kind, detail, tool=pending.tool, method=pending.method, **facts)


def _type(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list"}
    return names.get(type(value), "an object")


def _json(value: Any) -> str:
    """A value of the server as short JSON; it may be as long and as deep as it likes."""
    try:
        return shorten(json.dumps(value, ensure_ascii=False), _SHOWN)
    except (ValueError, RecursionError):
        return _type(value)


def _text_of(message: JsonObject) -> str:
    error = message.get("error")
    text = error.get("message") if isinstance(error, dict) else None
    return shorten(text, _SHOWN) if isinstance(text, str) else ""
