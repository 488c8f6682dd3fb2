"""The calls that toolproof.yaml lists, and what they should give."""
