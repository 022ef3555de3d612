"""
>>> half(3)
1
>>> half(0)
0
"""


def half(n):
    """
    >>> half(4)
    2
    """
    rest = 10 % n
    return n // 2 + rest
