__all__ = ["twice", "thrice"]
import math
_hidden = 1


def twice(n):
    return 2 * n


def thrice(n):
    return 3 * n


def other(n):
    return math.sqrt(n)
