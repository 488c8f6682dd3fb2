"""A session without a server: what it sends is kept, what it gets is handed in."""

from collections.abc import Mapping

from toolproof.connection.backing import Backing
from toolproof.connection.observations import Kind, ObservationLog
from toolproof.connection.session import Session
from toolproof.connection.wire import JsonObject, Receiver
from toolproof.connection.witness import Witness


class Loop:
    """A transport that ends in the air."""

    def __init__(self) -> None:
        self.sent: list[JsonObject] = []
        self.headers: list[Mapping[str, str] | None] = []
        self.abandoned: list[int] = []
        self.unsent = 0

    async def open(self, receiver: Receiver) -> None:
        del receiver

    def send(
        self,
        message: JsonObject,
        *,
        request_id: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        del request_id
        self.sent.append(message)
        self.headers.append(headers)

    def abandon(self, request_id: int) -> None:
        self.abandoned.append(request_id)

    def stderr_tail(self, lines: int) -> str:
        del lines
        return ""

    async def close(self, *, fast: bool = False) -> None:
        del fast


def session(revision: str = "2025-11-25", **backing: object) -> tuple[Session, Loop]:
    """An open session of this revision."""
    loop = Loop()
    made = Session(loop, Witness(ObservationLog()), backing=Backing(**backing))  # type: ignore[arg-type]
    made.agree(revision)
    made.mark_opened()
    return made, loop


def seen_by(made: Session) -> set[Kind]:
    """The kinds of what was observed."""
    return {seen.kind for seen in made.witness.log}
