"""Active probes of the protocol, on request: what they show are problems of the check `protocol`."""
