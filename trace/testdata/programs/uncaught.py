# An uncaught exception through three activations.
def inner(d, key):
    return d[key]


def middle(d):
    total = 0
    for key in ("a", "b", "missing"):
        total += inner(d, key)
    return total


def outer():
    return middle({"a": 1, "b": 2}) * 2


result = outer()
