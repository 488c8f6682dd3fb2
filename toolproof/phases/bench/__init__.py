"""Latency percentiles, throughput and error rate of tools."""
