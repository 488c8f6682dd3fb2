"""What answers cost, and whether the next one may be asked for."""

from dataclasses import dataclass
from typing import Any

from toolproof.config import EvalsConfig
from toolproof.phases.evals.providers.provider import ProviderError, Question, Reply

CHARACTERS_PER_TOKEN = 2.5
"""For the estimate before a call, which must not be too low: English has about 4, JSON about 3."""


@dataclass(slots=True)
class Budget:
    """Spent and reserved US dollars.

    Attributes:
        limit: `max_cost_usd`; None for no limit.
        prices: US dollars for a million tokens in and out; None where nobody said.
    """

    limit: float | None
    prices: tuple[float, float] | None
    most_output_tokens: int
    spent: float = 0.0
    reserved: float = 0.0

    @staticmethod
    def of(config: EvalsConfig, most_output_tokens: int) -> "Budget":
        """The budget that the config sets.

        Prices are not built in, as they change and differ by contract: `params.price_per_mtok:
        [input, output]` says them. A program tells the cost of each answer itself.

        Raises:
            ProviderError: There is a limit, and no way to know what a call costs.
        """
        prices = _prices(config.params.get("price_per_mtok"))
        if config.max_cost_usd is not None and prices is None and config.provider != "command":
            raise ProviderError(
                f"max_cost_usd is set, and nobody said what a token of {config.model!r} costs",
                hint="Set evals.params.price_per_mtok: [3.0, 15.0] (US dollars per million tokens in, out).",
                fatal=True,
            )
        return Budget(config.max_cost_usd, prices, most_output_tokens)

    def reserve(self, question: Question) -> float:
        """What this call may cost at most; held back until `settle`.

        Raises:
            ProviderError: It might pass the limit: the call must not be made.
        """
        worst = 0.0
        if self.prices is not None:
            size = len(question.prompt) + len(str(question.tools))
            tokens_in = size / CHARACTERS_PER_TOKEN
            worst = self.cost(tokens_in, self.most_output_tokens)
        if self.limit is not None and self.spent + self.reserved + worst > self.limit:
            raise ProviderError(
                f"the next call may cost up to ${worst:.4f}; ${self.spent:.4f} of ${self.limit:.2f} "
                "(max_cost_usd) is spent",
                fatal=True,
            )
        self.reserved += worst
        return worst

    def settle(self, reserved: float, reply: Reply | None, *, charged: bool = False) -> None:
        """Replace what was held back by what the answer cost.

        Args:
            reserved: What `reserve` gave.
            reply: None where there is none that can be used.
            charged: Whether that one may cost something all the same: then all that was held back.
        """
        self.reserved -= reserved
        if reply is None:
            if charged:
                self.spent += reserved
            return
        if reply.cost_usd is not None:
            self.spent += reply.cost_usd
        elif self.prices is not None and reply.input_tokens is not None:
            self.spent += self.cost(reply.input_tokens, reply.output_tokens or 0)
        else:
            self.spent += reserved

    def cost(self, tokens_in: float, tokens_out: float) -> float:
        """US dollars of so many tokens."""
        if self.prices is None:
            return 0.0
        return (tokens_in * self.prices[0] + tokens_out * self.prices[1]) / 1e6


def _prices(said: Any) -> tuple[float, float] | None:
    if said is None:
        return None
    if (
        isinstance(said, list | tuple)
        and len(said) == 2
        and all(isinstance(n, int | float) and not isinstance(n, bool) and n >= 0 for n in said)
    ):
        return float(said[0]), float(said[1])
    raise ProviderError(
        f"evals.params.price_per_mtok: expected two numbers, got {said!r}",
        hint="Write [3.0, 15.0]: US dollars per million tokens in and out.",
        fatal=True,
    )
