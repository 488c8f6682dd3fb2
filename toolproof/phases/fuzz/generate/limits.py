"""How much is made of one schema, so that none takes long: numbers that need no clock."""

MOST_SHAPES = 64
"""Ways to choose among the alternatives (anyOf, oneOf, if, ...) of one subschema."""

MOST_SPOTS = 4_000
"""Subschemas that are joined into one (allOf, $ref)."""

MOST_STEPS = 60_000
"""Values built while a plan is made and its cases are made; each takes some microseconds."""

MOST_CLAIMS = 100
"""Subschemas that are followed for one field; a validator sees the others."""

MOST_SLOTS = 500
"""Places inside the arguments that are varied one by one."""

MOST_OPTIONS = 200
"""Values of an enum, and options of a choice between constants, that are tried each."""

MOST_CHOICES = 48
"""Other values for one place."""

MOST_FIELDS = 200
"""Fields of an object that are filled at once where none is required."""

DEEPEST = 60
"""Values in values."""

DEEPEST_SLOT = 6
"""Places further down are not varied one by one."""

LONGEST_TEXT = 20_000
"""Characters of one string."""

MOST_ITEMS = 1_000
"""Items of one array, or keys of one object, at a bound."""

LARGEST_VALUE = 200_000
"""Characters of the arguments of one case, about."""

MOST_BITS = 12_000
"""Of an integer: Python writes none with more than 4,300 digits."""

MOST_LOCAL = 2_000
"""Subschemas that get a validator of their own."""

LARGEST_LOCAL = 300_000
"""Characters of a schema up to which its subschemas get one even where they refer to others."""
