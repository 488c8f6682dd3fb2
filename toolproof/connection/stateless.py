"""What 2026-07-28 adds to a result: members that it must have, and wishes for more input."""

from typing import Any, Protocol

from toolproof.connection.answers import ClientAnswers, setting_for
from toolproof.connection.messages import short_json
from toolproof.connection.observations import Kind
from toolproof.connection.waiting import Pending
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


class Rounds(Protocol):
    """What these functions need of a session."""

    witness: Witness
    answers: ClientAnswers

    def finish(self, pending: Pending, outcome: Outcome) -> None: ...
    def now(self) -> float: ...
    def send_request(self, pending: Pending, params: JsonObject, stamp: JsonObject) -> None: ...
    @property
    def stamp(self) -> JsonObject: ...


def complete(session: Rounds, pending: Pending, result: JsonObject, raw: bytes) -> bool:
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
        found = ", ".join(
            f"{n} is {short_json(result[n]) if n in result else 'missing'}" for n in wrong
        )
        witness.log.add(
            Kind.MODERN_RESULT_FIELDS,
            f"in the result of {method}, {found}",
            tool=tool,
            method=method,
            request=method,
            members=", ".join(wrong),
        )


def _input_required(session: Rounds, pending: Pending, result: JsonObject, raw: bytes) -> None:
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
            session.witness.log.add(
                Kind.UNDECLARED_REQUEST,
                words,
                tool=pending.tool,
                method=pending.method,
                asked=shorten(method, 80),
            )
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
