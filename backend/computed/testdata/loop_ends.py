# What comes behind a loop, whose last statement may leave it.


def last(limit):
    good = True
    for p in range(2, limit):
        if limit % p == 0:
            good = False
            break
    return good


def raises(values):
    for v in values:
        if v:
            break
    raise ValueError


def inside(values):
    for v in values:
        try:
            if v > 1:
                break
        finally:
            w = v
    return w


def goes_on(values):
    for v in values:
        if v == 7:
            break
        w = v
    return w


def otherwise(values):
    for v in values:
        if v:
            break
    else:
        return 0
    return 1


def skips(values):
    n = 0
    while values:
        v = values.pop()
        if not (0 < v < 3 and v != 2):
            continue
        if v < 0 or v == 1:
            continue
        n += v
    for v in [1, 2]:
        if v == 1:
            n += 1
        else:
            pass
    return n


last(2), last(4), last(5)
try:
    raises([])
except ValueError:
    pass
inside([1]), inside([1, 2])
goes_on([1, 2]), goes_on([1, 7])
otherwise([]), otherwise([0]), otherwise([1])
skips([1, 2, 3, -1])
