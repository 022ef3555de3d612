# any, all and tuple over a generator expression: from 3.14 on its loop runs in the caller's frame.
limit = 2


def search(values):
    found = any(v > limit for v in values)
    every = all(v > limit for v in values)
    kept = tuple(v for v in values if v != limit)
    return found, every, kept


def raises(values):
    return any(
        1 // v
        for v in values
    )


some = search([1, 2, 3, 4])
none = search([])
try:
    raises([0, 1])
except ZeroDivisionError:
    caught = True
deep = any(all(x for x in row) for row in ((0, 1), (1, 1), (0, 0)))
taken = tuple(a for a in (b for b in range(3)))


def mine(any):
    return any(c for c in "xy")


own = mine(list)
unused = any(n for n in iter([0, 5, 0])), all(n for n in [1])
