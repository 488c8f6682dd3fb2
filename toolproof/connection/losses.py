"""Whose fault the end of a server is: a tool call's, another request's, or nobody's yet."""

from toolproof.connection.observations import Kind
from toolproof.connection.waiting import Waiting
from toolproof.connection.wire import Ending
from toolproof.connection.witness import Witness


class Losses:
    """Tells the end of one server process, once."""

    def __init__(self, witness: Witness, waiting: Waiting) -> None:
        self._witness = witness
        self._waiting = waiting
        self._untold: Ending | None = None

    def keep(self, ending: Ending | None) -> None:
        """It ended while nothing was asked: told with the request that it will cost."""
        self._untold = ending

    def judge(self, ending: Ending) -> None:
        """It ended: tell it by what was in flight at that moment."""
        running = [p for p in self._waiting.by_id.values() if p.begin <= ending.at]
        calls = [p for p in running if p.method == "tools/call"]
        if not running:
            self.keep(ending)
        elif not calls:
            self.keep(ending)
            self.tell(running[0].method)
        else:
            tools = {p.tool for p in calls}
            self._witness.log.add(
                Kind.CRASH,
                f"the server ended during a call: {ending.words}",
                tool=calls[0].tool if len(tools) == 1 else None,
                method="tools/call",
                exit=ending.words,
                last_line=ending.last_line,
                arguments=calls[0].params.get("arguments"),
                in_flight=len(calls),
            )

    def tell(self, method: str | None) -> None:
        """Tell an end that was kept, with the request that was lost by it, if one was."""
        ending, self._untold = self._untold, None
        if ending is not None:
            lost = f"; {method} was lost" if method else ""
            self._witness.log.add(
                Kind.UNEXPECTED_EXIT,
                f"the server ended outside of a tool call: {ending.words}{lost}",
                method=method,
                exit=ending.words,
                last_line=ending.last_line,
                request=method,
            )
