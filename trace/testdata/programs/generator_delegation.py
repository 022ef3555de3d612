# Chains of yield from: the value of the innermost return comes out at the top.
def leaf(n):
    for i in range(n):
        yield i
    return n * 10


def middle(n):
    got = yield from leaf(n)
    more = yield from [100, 200]
    return got + 1


def top():
    result = yield from middle(2)
    yield result


values = list(top())
g = top()
first = next(g)
g.close()
