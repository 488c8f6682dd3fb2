"""Rules over the tool list, over what calls gave, and over what the wire saw."""
