"""Send the probes one after another; what each shows goes into the log, where rules judge it."""

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import anyio

from toolproof.connection.observations import Kind
from toolproof.connection.stamps import client_info
from toolproof.connection.wire import LEGACY, Failure, Outcome
from toolproof.errors import ServerError
from toolproof.judgement.content import message_flaws, resource_flaws
from toolproof.judgement.rpc import internal_error
from toolproof.judgement.wording import is_environment
from toolproof.phases.phase import PhaseContext
from toolproof.phases.protocol.http import foreign_origin, unknown_session
from toolproof.phases.protocol.lists import compare_lists
from toolproof.records import record
from toolproof.report import Listed, Note, PhaseName, ProbeResult, ProtocolSection
from toolproof.text import shorten

LIMIT_S = 5.0
"""For a probe's answer; a resource or a prompt may take the config's `timeout_ms`."""
NO_SUCH_METHOD = "toolproof/no-such-method"
NO_SUCH_TOOL = "toolproof_no_such_tool"
NO_SUCH_CURSOR = "toolproof-no-such-cursor"
NO_SUCH_VERSION = "1999-01-01"
MOST = 100
"""Resources read and prompts got, of each at most."""


@record
class Probe:
    """One question to the server.

    Attributes:
        ask: Gives why the question does not apply, or None once it was asked.
    """

    name: str
    ask: Callable[[PhaseContext], Awaitable[str | None]]


async def run_probes(context: PhaseContext) -> ProtocolSection:
    """Ask everything that the declared capabilities and the agreed revision allow.

    Raises:
        ServerError: The server was lost, and does not come back.
    """
    began = time.perf_counter()
    results: list[ProbeResult] = []

    def section() -> ProtocolSection:
        return ProtocolSection(probes=tuple(results), duration_s=time.perf_counter() - began)

    context.partial[PhaseName.PROTOCOL] = section
    for number, probe in enumerate(PROBES):
        context.options.progress(number, len(PROBES), f"protocol: {probe.name}")
        started = time.perf_counter()
        try:
            skipped = await probe.ask(context)
        except ServerError as error:
            skipped = f"the server was lost: {shorten(error.message, 200)}"
        results.append(
            ProbeResult(
                name=probe.name,
                skipped=skipped,
                duration_ms=(time.perf_counter() - started) * 1000,
            )
        )
        if context.server.ended is not None:
            context.notes.append(
                Note(f"the probe {probe.name!r} ended the server; it was started again")
            )
            await context.server.reconnect()
    return section()


async def _same_list(context: PhaseContext) -> str | None:
    if "tools" not in context.info.capabilities:
        return "the server declares no tools"
    await compare_lists(context)
    return None


async def _cursor(context: PhaseContext) -> str | None:
    if "tools" not in context.info.capabilities:
        return "the server declares no tools"
    outcome = await _ask(context, "tools/list", {"cursor": NO_SUCH_CURSOR})
    if outcome.result is not None:
        context.log.add(
            Kind.PROBE_CURSOR_ACCEPTED, "a cursor that was never given is answered with a list"
        )
    return None


async def _ping(context: PhaseContext) -> str | None:
    if context.info.protocol not in LEGACY:
        return f"{context.info.protocol} has no ping"
    outcome = await _ask(context, "ping", {})
    if outcome.result is None or set(outcome.result) - {"_meta"}:
        context.log.add(Kind.PROBE_PING, f"ping is answered with {_answer(outcome)}")
    return None


async def _unknown_method(context: PhaseContext) -> str | None:
    outcome = await _ask(context, NO_SUCH_METHOD, {})
    code = outcome.error.get("code") if outcome.error else None
    if outcome.result is not None:
        code = "a result"
    elif outcome.failure is not None:
        return f"the probe came to nothing: {outcome.detail}"
    if code != -32601:
        context.log.add(
            Kind.PROBE_UNKNOWN_METHOD, f"an unknown method is answered with {code}", code=code
        )
    return None


async def _unknown_tool(context: PhaseContext) -> str | None:
    if "tools" not in context.info.capabilities and not context.info.tools:
        return "the server declares no tools"
    outcome = await _ask(context, "tools/call", {"name": NO_SUCH_TOOL, "arguments": {}})
    if outcome.result is None:
        return None  # a JSON-RPC error is right; what else it may be the wire has told
    how = "is-error" if outcome.result.get("isError") is True else "success"
    content = outcome.result.get("content")
    block = content[0] if isinstance(content, list) and content else None
    text = block.get("text") if isinstance(block, dict) else None
    context.log.add(
        Kind.PROBE_UNKNOWN_TOOL,
        f"a call of {NO_SUCH_TOOL!r} gives a result",
        outcome=how,
        text=shorten(text, 200) if isinstance(text, str) else "",
    )
    return None


async def _version(context: PhaseContext) -> str | None:
    if context.info.protocol not in LEGACY:
        return f"{context.info.protocol} opens without a handshake"
    other = context.another()
    try:
        await other.spawn()
        hello: dict[str, Any] = {
            "protocolVersion": NO_SUCH_VERSION,
            "capabilities": {},
            "clientInfo": client_info(),
        }
        outcome = await other.session.request(
            "initialize", hello, idle_s=context.config.server.startup_timeout_s
        )
        if outcome.result is not None and outcome.result.get("protocolVersion") == NO_SUCH_VERSION:
            context.log.add(
                Kind.PROBE_VERSION_ECHOED,
                f"initialize agrees to {NO_SUCH_VERSION}",
                asked=NO_SUCH_VERSION,
            )
    finally:
        with anyio.CancelScope(shield=True):
            await other.close()
    return None


async def _notification(context: PhaseContext) -> str | None:
    """A notification that every revision has; the wire tells if it is answered."""
    gone = {"requestId": 900_000_000, "reason": "a probe: no such request"}
    context.server.session.notify("notifications/cancelled", gone)
    await context.server.is_alive(LIMIT_S)
    return None


async def _resources(context: PhaseContext) -> str | None:
    if not context.info.resources:
        return "the server lists no resources"
    readable = [
        r
        for r in context.info.resources
        if isinstance(r.raw, dict) and isinstance(r.raw.get("uri"), str)
    ]
    for resource in readable[:MOST]:
        await _read(context, resource)
    return None


async def _read(context: PhaseContext, resource: Listed) -> None:
    uri: str = resource.raw["uri"]
    outcome = await _ask(
        context, "resources/read", {"uri": uri}, idle_s=context.config.timeout_ms / 1000
    )
    wrong = _unreadable(outcome)
    if wrong is None:
        return
    if is_environment(wrong):
        context.notes.append(Note(f"resource {uri} was not read: {shorten(wrong, 200)}"))
        return
    context.log.add(Kind.PROBE_RESOURCE_READ, f"{uri} cannot be read: {wrong}", uri=uri)


def _unreadable(outcome: Outcome) -> str | None:
    """What is wrong with the answer to resources/read."""
    if outcome.result is None:
        return _answer(outcome)
    contents = outcome.result.get("contents")
    if not isinstance(contents, list):
        return "its result has no list of contents"
    if not contents:
        return "its contents are empty"
    for index, one in enumerate(contents):
        if not isinstance(one, dict):
            return f"contents[{index}] is no object"
        for flaw in resource_flaws(one, f"/contents/{index}"):
            if flaw.rule == "result-invalid":
                return flaw.message
    return None


async def _prompts(context: PhaseContext) -> str | None:
    if not context.info.prompts:
        return "the server lists no prompts"
    for prompt in [prompt for prompt in context.info.prompts if prompt.name][:MOST]:
        await _get(context, prompt)
    return None


async def _get(context: PhaseContext, prompt: Listed) -> None:
    arguments = prompt.raw.get("arguments")
    needed = {
        one["name"]: "example"
        for one in (arguments if isinstance(arguments, list) else [])
        if isinstance(one, dict)
        and isinstance(one.get("name"), str)
        and one.get("required") is True
    }
    params: dict[str, Any] = {"name": prompt.name, **({"arguments": needed} if needed else {})}
    outcome = await _ask(context, "prompts/get", params, idle_s=context.config.timeout_ms / 1000)
    wrong: str | None = None
    if outcome.error is not None:
        wrong = internal_error(outcome.error)
    elif outcome.failure is not None and outcome.failure is not Failure.NEEDS_INPUT:
        wrong = _answer(outcome)
    elif outcome.result is not None:
        flaws = message_flaws(outcome.result.get("messages"), context.info.protocol)
        wrong = next((flaw.message for flaw in flaws), None)
    if wrong is None:
        return
    if is_environment(wrong):
        context.notes.append(Note(f"prompt {prompt.name} was not got: {shorten(wrong, 200)}"))
        return
    context.log.add(
        Kind.PROBE_PROMPT_GET, f"{prompt.name} cannot be got: {wrong}", prompt=prompt.name
    )


async def _ask(
    context: PhaseContext, method: str, params: dict[str, Any], *, idle_s: float = LIMIT_S
) -> Outcome:
    return await context.server.outcome(method, params, idle_s=idle_s)


def _answer(outcome: Outcome) -> str:
    """What came, in words."""
    if outcome.error is not None:
        message = shorten(str(outcome.error.get("message", "")), 200)
        return f"error {outcome.error.get('code')}: {message}"
    return outcome.detail or "a result that is not empty"


PROBES: Sequence[Probe] = (
    Probe("the list of tools is the same twice", _same_list),
    Probe("a cursor that was never given", _cursor),
    Probe("ping", _ping),
    Probe("an unknown method", _unknown_method),
    Probe("an unknown tool", _unknown_tool),
    Probe("a notification is not answered", _notification),
    Probe("a version that does not exist", _version),
    Probe("each resource can be read", _resources),
    Probe("each prompt can be got", _prompts),
    Probe("a foreign origin is refused", foreign_origin),
    Probe("an unknown session is told", unknown_session),
)
"""In the order in which they are sent: those that may end a server come late."""
