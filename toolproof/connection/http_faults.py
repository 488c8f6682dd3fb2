"""What kept an exchange over HTTP from happening, in words: refused, reset, TLS, names, timeouts."""

import errno
import socket
import ssl
from collections.abc import Iterator

from toolproof.connection.http_address import Address

_MOST_CAUSES = 20


class HttpFault(Exception):  # noqa: N818 - it is no error of ours, and is always caught here
    """There is no answer, or it broke off.

    Attributes:
        words: What happened, lower case.
        hint: What the user may do, if we know.
        reached: Was there anything at the other end?
        broken: Was the connection closed or reset before there was an answer?
    """

    def __init__(
        self, words: str, *, hint: str = "", reached: bool = True, broken: bool = False
    ) -> None:
        super().__init__(words)
        self.words = words
        self.hint = hint
        self.reached = reached
        self.broken = broken


def closed(*, started: bool) -> HttpFault:
    """The server closed the connection: after a part of its answer, or before."""
    where = "in the middle of its answer" if started else "without an answer"
    return HttpFault(f"the server closed the connection {where}", broken=not started)


def reset() -> HttpFault:
    return HttpFault("the server reset the connection", broken=True)


def fault_from(exc: BaseException, address: Address) -> HttpFault:
    """The fault that a foreign exception stands for: the first cause that we have words for."""
    for cause in _causes(exc):
        if fault := _known(cause, address):
            return fault
    return HttpFault(str(exc) or type(exc).__name__, reached=False)


def _known(cause: BaseException, address: Address) -> HttpFault | None:
    match cause:
        case ssl.SSLError():
            return _tls(cause, address)
        case socket.gaierror():
            return HttpFault(
                f"the host name {address.host!r} is not known ({cause.strerror})",
                hint="Correct the host name, or look at the name service.",
                reached=False,
            )
        case OSError() if _is_refusal(cause):
            return HttpFault(
                f"connection refused: nothing listens on {address.host}:{address.port}",
                hint="Start the server first, or correct the address.",
                reached=False,
            )
        case ConnectionResetError() | BrokenPipeError() | ConnectionAbortedError():
            return reset()
        case OSError() if cause.strerror:
            words = f"{address.host}:{address.port}: {cause.strerror.lower()}"
            return HttpFault(words, reached=False)
    return None


def _tls(cause: ssl.SSLError, address: Address) -> HttpFault:
    if isinstance(cause, ssl.SSLCertVerificationError):
        why = getattr(cause, "verify_message", "") or str(cause)
        return HttpFault(
            f"TLS: the certificate of {address.host} is not trusted: {why}",
            hint="Set SSL_CERT_FILE to a file that holds the certificate of its authority.",
        )
    reason = (getattr(cause, "reason", None) or str(cause)).replace("_", " ").lower()
    hint = "Try http:// in place of https://." if "wrong version" in reason else ""
    return HttpFault(f"TLS: {reason}", hint=hint)


def _is_refusal(cause: OSError) -> bool:
    """Where a host has several addresses, all that was tried stands in the text of one error."""
    return isinstance(cause, ConnectionRefusedError) or (
        f"[Errno {errno.ECONNREFUSED}]" in str(cause)
    )


def _causes(exc: BaseException) -> Iterator[BaseException]:
    """The exception and what led to it, the innermost of each branch first."""
    found: list[BaseException] = []
    waiting = [exc]
    while waiting and len(found) < _MOST_CAUSES:
        one = waiting.pop(0)
        found.append(one)
        if isinstance(one, BaseExceptionGroup):
            waiting.extend(one.exceptions)
        if cause := one.__cause__ or one.__context__:
            waiting.append(cause)
    yield from reversed(found)
