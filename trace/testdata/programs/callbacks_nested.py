# User code below library code below user code: a callback that calls the library again, and one that raises.
import re
from functools import lru_cache, partial, total_ordering


@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@total_ordering
class Version:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __lt__(self, other):
        return self.n < other.n


def inner(m):
    return re.sub("b", lambda k: str(fib(len(k.group()))), m.group())


def fail(m):
    raise KeyError(m.group())


a = fib(5)
b = re.sub("a.", inner, "abac")
try:
    re.sub("a", fail, "xay")
except KeyError as e:
    c = e.args[0]
d = Version(2) >= Version(1)
e = partial(max, key=lambda v: -v)([3, 1, 2])
