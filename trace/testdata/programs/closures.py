# Closures: nonlocal writes, cells that are empty for a while, a cell deleted and made again.
def counter():
    n = 0

    def inc(by):
        nonlocal n
        n += by
        return n

    inc(2)
    return inc


def late():
    def show():
        return value

    value = "set"
    first = show()
    del value
    try:
        show()
    except NameError:
        value = "again"
    return first, show()


inc = counter()
z = inc(5)
w = late()
fs = [lambda: i for i in range(3)]
last = fs[0]()
