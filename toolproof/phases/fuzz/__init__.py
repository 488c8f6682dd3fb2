"""The phase that finds what a well-behaved server should never do, by inputs it makes itself."""
