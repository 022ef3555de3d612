import doctest


def badly_indented(n):
    """
        >>> badly_indented(
    ... 1)
    """
    return n


try:
    doctest.testmod()
except ValueError:
    seen = "rejected"
