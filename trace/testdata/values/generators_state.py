# Generators that hold state others look at.
def numbers(items):
    n = 0
    while n < 4:
        items.append(n)
        got = yield items
        if got:
            items[0] = got
        n += 1


def relay(items):
    total = []
    result = yield from numbers(items)
    total.append(result)
    yield total


def pull(g, n):
    out = []
    for _ in range(n):
        out.append(len(next(g)))
    return out


items = []
g = numbers(items)
first = next(g)
items.append("outside")
second = g.send("sent")
rest = pull(g, 1)
g.close()
r = relay(items)
third = pull(r, 2)
items.clear()
last = list(map(len, r))
squares = (items.append(i) or i * i for i in range(3))
a = next(squares)
b = sum(squares)
print(items, first is second, rest, third, last, a, b)


def rebound():
    gone = 1

    def drop():
        nonlocal gone, come
        del gone
        come = 2

    yield drop
    yield come
    come = 3
    yield come


suspended = rebound()
next(suspended)()
print(next(suspended), next(suspended))
