"""Whether a model picks the right tool, with the right arguments."""
