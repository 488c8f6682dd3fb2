"""What the wire saw that a correct server would not do: the evidence of the `protocol` rules.

An observation is a fact, not a verdict: rules judge. To add a kind, name it here, add it where it
is seen, and write the rule that judges it.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from toolproof.records import record

KEPT_DETAILS = 20
"""So many details of a kind are kept for each tool; all are counted (`wire.md`, section 1)."""


class Kind(StrEnum):
    """What was seen. The `facts` that come with a kind stand beside it."""

    # Lines and messages
    STDOUT_POLLUTION = "stdout-pollution"  # line (first 120 characters)
    STDOUT_BOM = "stdout-bom"
    INVALID_UTF8 = "invalid-utf8"  # byte, offset
    LONE_SURROGATE = "lone-surrogate"  # pointer
    RESPONSE_INVALID = "response-invalid"
    WRONG_RESPONSE_ID = "wrong-response-id"  # id (as JSON), text
    NOTIFICATION_ANSWERED = "notification-answered"  # over HTTP: status, body
    SECOND_ANSWER = "second-answer"
    LATE_ANSWER = "late-answer"  # late_s: seconds after its request was given up
    DUPLICATE_KEYS = "duplicate-keys"
    SECRET_LEAK = "secret-leak"  # noqa: S105 - a name
    # The server's own requests and notifications
    UNDECLARED_REQUEST = "undeclared-request"  # asked: the method
    PROGRESS_INVALID = "progress-invalid"
    LIST_CHANGED = "list-changed"  # what: tools, resources or prompts
    # Start and end
    START_CRASH = "start-crash"  # exit (words), last_line, request
    START_TIMEOUT = "start-timeout"  # seconds
    START_FAILED = "start-failed"  # command not found, not executable, URL that refuses
    SLOW_START = "slow-start"  # seconds
    UNEXPECTED_EXIT = "unexpected-exit"  # exit (words), last_line, request; outside of a tool call
    CRASH = "crash"  # exit (words), last_line, arguments, in_flight; during a tool call
    ENDS_AT_PROBE = "ends-at-probe"
    NO_EXIT_ON_EOF = "no-exit-on-eof"  # seconds, signal: SIGTERM or SIGKILL
    PROCESS_LEAK = "process-leak"  # pid, command
    EXIT_STATUS = "exit-status"  # exit (words): not 0 at the end of input
    # Handshake and lists
    VERSION_REFUSED = "version-refused"  # asked, agreed
    VERSION_UNKNOWN = "version-unknown"  # asked, answered
    HANDSHAKE_INVALID = "handshake-invalid"  # member, request
    CAPABILITY_NOT_DELIVERED = "capability-not-delivered"  # request
    CAPABILITY_UNDECLARED = "capability-undeclared"  # tools: how many
    LIST_RESULT_INVALID = "list-result-invalid"  # request, member
    PAGINATION_LOOP = "pagination-loop"  # request, pages
    MODERN_RESULT_FIELDS = "modern-result-fields"  # request, members (names, by comma)
    # HTTP
    HTTP_AUTH_REQUIRED = "http-auth-required"  # metadata
    HTTP_AUTH_CHALLENGE = "http-auth-challenge"
    HTTP_REDIRECT = "http-redirect"  # status, target
    HTTP_CONTENT_TYPE = "http-content-type"  # status, type, body
    HTTP_SESSION_EXPIRED = "http-session-expired"
    HTTP_HOST_REFUSED = "http-host-refused"  # status, host
    HTTP_LEGACY_SSE = "http-legacy-sse"
    HTTP_STATUS = "http-status"  # status: one that has no rule of its own
    # Active probes (phase `protocol`): added only where a probe found a fault
    PROBE_CURSOR_ACCEPTED = "probe-cursor-accepted"  # request
    PROBE_LIST_ORDER = "probe-list-order"  # request
    PROBE_LIST_CHANGED = "probe-list-changed"  # came, went (names), after (a tool)
    PROBE_DEFINITION_CHANGED = "probe-definition-changed"  # pointer; tool: whose definition it is
    PROBE_PING = "probe-ping"  # code, if it was an error
    PROBE_UNKNOWN_METHOD = "probe-unknown-method"  # code
    PROBE_UNKNOWN_TOOL = "probe-unknown-tool"  # outcome: success or is-error; text: of the result
    PROBE_VERSION_ECHOED = "probe-version-echoed"  # asked
    PROBE_RESOURCE_READ = "probe-resource-read"  # uri; detail: why it cannot be read
    PROBE_PROMPT_GET = "probe-prompt-get"  # prompt: its name; detail: why it cannot be got
    PROBE_SESSION_STATUS = "probe-session-status"  # status
    PROBE_ORIGIN = "probe-origin"  # origin, status
    WRONG_RESULT_UNDER_LOAD = "wrong-result-under-load"  # arguments (JSON); detail: both results


@record
class Observation:
    """One thing that was seen.

    Attributes:
        detail: What it was, in words: text of the server may stand in it as it came.
        tool: The tool that was being called, if one was.
        method: The request that was in flight, if one was.
        at_s: Seconds since the log began.
        facts: Named values of the kind, as `Kind` lists them.
    """

    kind: Kind
    detail: str
    tool: str | None = None
    method: str | None = None
    at_s: float = 0.0
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Seen:
    """All observations of one kind on one tool (or on none): how many, and the first of them."""

    kind: Kind
    tool: str | None
    count: int = 0
    kept: list[Observation] = field(default_factory=list)

    @property
    def first(self) -> Observation:
        return self.kept[0]


class ObservationLog:
    """Everything that was seen of one server, over all its processes and connections."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._seen: dict[tuple[Kind, str | None], Seen] = {}

    def add(
        self,
        kind: Kind,
        detail: str,
        *,
        tool: str | None = None,
        method: str | None = None,
        **facts: Any,
    ) -> None:
        """Count an observation, and keep it unless there are enough of its kind."""
        seen = self._seen.setdefault((kind, tool), Seen(kind, tool))
        seen.count += 1
        if len(seen.kept) < KEPT_DETAILS:
            at_s = time.monotonic() - self._began
            seen.kept.append(Observation(kind, detail, tool, method, at_s, facts))

    def of(self, *kinds: Kind) -> list[Seen]:
        """What was seen of these kinds, one entry for each kind and tool, in order of first sight."""
        return [seen for seen in self._seen.values() if seen.kind in kinds]

    def each(self, *kinds: Kind) -> Iterator[Observation]:
        """Every kept observation of these kinds."""
        for seen in self.of(*kinds):
            yield from seen.kept

    def __len__(self) -> int:
        return sum(seen.count for seen in self._seen.values())

    def __iter__(self) -> Iterator[Seen]:
        return iter(self._seen.values())


def observed(*observations: Observation) -> ObservationLog:
    """A log that holds these: for the examples of rules, and for tests."""
    log = ObservationLog()
    for one in observations:
        log.add(one.kind, one.detail, tool=one.tool, method=one.method, **one.facts)
    return log
