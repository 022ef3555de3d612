"""A module that is imported late, twice, and then reloaded."""
loaded = True
factor = 10


def answer(x):
    return x * factor
