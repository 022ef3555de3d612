# Which names a function has from the one around it.


def loops(bits):
    g = lambda v: [i for i in v]
    i = 0
    for b in bits:
        i += 1
    return g(bits), i


def annotated():
    T = int
    u = 3

    def local():
        x: T = 1
        return x

    def params(a: T, b=2) -> u:
        return a

    class Fields:
        f: T
        k: u = 2

    return local(), params(1), Fields.k


class Conditional:
    if loops:
        a: int
        b: int = 3
    for n in range(2):
        c: int


class Bare:
    a: int


def shadowed():
    return 1


try:
    raise ValueError('x')
except ValueError as e:
    shadowed = None
    print(e)
loops([True, False])
annotated()
x: int
y: missing = 2 if shadowed else 3


def declared(values):
    total: int
    total = 0
    item: int
    for item in values:
        total += item
    kind = int
    return all(isinstance(v, kind) for v in values), total


declared([1, 2])


def calls(m):
    keys = shifted(m)
    return [shifted(keys) for shifted in adders(m)]


def shifted(m):
    return m + 1


def adders(m):
    return [shifted, shifted]


calls(1)


def declares(n):
    out = 0

    def helper(v):
        """Only a docstring."""
        nonlocal out

    for n in [1]:
        helper(n)
    return out


declares(2)


def says_nothing(n):
    """Only a docstring."""


def annotates(n):
    a: int


def annotates_twice(n):
    """A docstring too."""
    a: int
    global zz
    b: int


def passes(n):
    """A docstring too."""
    pass


def passes_twice(n):
    global zz
    pass
    pass


says_nothing(1)
annotates(1)
annotates_twice(1)
passes(1)
passes_twice(1)
