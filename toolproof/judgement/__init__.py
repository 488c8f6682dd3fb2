"""Judging what a server answered: pure functions, shared by the rules and the fuzzer."""
