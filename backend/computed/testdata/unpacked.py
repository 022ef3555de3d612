"""What is new in Python 3.15: unpacking in comprehensions, lazy imports, generator expressions that call iter()
themselves, and list() and set() of them, which loop in the calling frame."""
lazy import math, textwrap as wrapping
lazy from heapq import heappush, heappop as pop


def flat(rows):
    return [*row for row in rows if row]


def seen(rows):
    return {*row for row in rows}


def merged(maps):
    return {**m for m in maps}


def parts(rows):
    out = []
    for x in (*row for row in rows):
        out.append(x)
    return out


def smallest(rows):
    heap = []
    for x in flat(rows):
        heappush(heap, x)
    return pop(heap), math.gcd(12, 18)


def failing(kind):
    try:
        if kind == 0:
            {*row for row in [1]}
        elif kind == 1:
            {**row for row in [1]}
        else:
            sum(*row for row in [1])
    except TypeError as e:
        return kind


rows = [[3, 1], [], (2,)]
a = flat(rows)
b = seen(rows)
c = merged([{"a": 1}, {}, {"b": 2, "a": 3}])
d = parts(rows)
nested = [*pair for pair in [*p for p in [[(1, 2)], [(3, 4)]]]]
e = tuple(*x for x in "ab")
f = sum(*x for x in [[0], [0, 4]])
g = smallest(rows)
h = list(x for x in range(2))
i = set(x for x in [1, 2])
j = sum(k for k in {"a": 1}.values())
k = [failing(n) for n in range(3)]
list = tuple
m = list(x for x in range(2))
