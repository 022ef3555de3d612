"""Examples in docstrings, which doctest.testmod runs by their names.

>>> double(21)
42
"""
import doctest


class Counter:
    """Counts.

    >>> c = Counter(2)
    >>> c.add(3)
    >>> c.n
    5
    >>> c
    Counter(5)
    """

    def __init__(self, n):
        self.n = n

    def add(self, m):
        """
        >>> c = Counter(1); c.add(1)
        >>> [c.n, double(c.n)]
        [2, 4]
        """
        self.n += m

    def __repr__(self):
        return f"Counter({self.n})"

    @staticmethod
    def zero():
        """
        >>> Counter.zero()
        Counter(0)
        """
        return Counter(0)

    @property
    def half(self):
        """
        >>> Counter(8).half
        4
        """
        return self.n // 2


def fails(n):
    """
    >>> fails(0)
    Traceback (most recent call last):
        ...
    ZeroDivisionError: division by zero
    >>> fails(2)
    5.0
    >>> fails("x")  # doctest: +SKIP
    >>> fails("x")
    Traceback (most recent call last):
    TypeError
    """
    return 10 / n


def double(n):
    r"""
    >>> double(4)
    8
    >>> def twice(n):
    ...     return double(double(n))
    ...
    >>> twice(1)
    4
    >>> for i in range(2):
    ...     double(i)
    0
    2
    >>> double(
    ...     5
    ... )
    10
    >>> "".join(str(double(i)) for i in range(3))  # doctest: +ELLIPSIS
    '0...'
    >>> list(map(lambda n: double(n), [1, 2]))
    [2, 4]
    """
    return n * 2


def evens(n):
    """
    >>> list(evens(5))
    [0, 2, 4]
    >>> sum(evens(4))
    2
    """
    for i in range(n):
        if i % 2 == 0:
            yield i


def undocumented(n):
    return n


seen = []


def remembers(n):
    """
    >>> remembers(1)
    >>> seen
    [1]
    >>> seen.append(5)
    >>> total = len(seen)
    >>> remembers(total)
    """
    seen.append(n)


again = double
doctest.testmod()
seen = seen + [1]
doctest.testmod(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
