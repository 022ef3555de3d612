"""The module that main imports."""
import math

LIMIT = 3
seen = []
names = {}


def add(a, b):
    """Adds."""
    return a + b


def limited(n):
    m = min(n, LIMIT)
    return m


def register(name):
    global LIMIT
    LIMIT += 1
    names[name] = LIMIT
    return math.floor(LIMIT / 2)


def fails(n):
    try:
        return 1 // n
    finally:
        seen.append("failed")


def where():
    return __name__


class Counter:
    made = 0

    def __init__(self, name):
        self.name = name
        self.count = 0
        Counter.made += 1

    def hit(self, by=1):
        self.count = add(self.count, by)
        return self


if __name__ == "__main__":
    print("not here")
