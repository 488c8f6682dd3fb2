"""`protocol`: the active probes."""

from toolproof.config.strict import Strict
from toolproof.config.values import Flag


class ProtocolConfig(Strict):
    """The active probes of the protocol.

    Attributes:
        enabled: Whether they run.
    """

    enabled: Flag = True
