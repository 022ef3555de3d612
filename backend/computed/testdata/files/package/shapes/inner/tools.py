"""Tools of the inner package."""
LEVEL = 2
