# Arrays and bytearrays, an element and more at a time.
import sys
from array import array


class Counts(array):
    def __setitem__(self, at, value):
        array.__setitem__(self, at, value)
        array.__setitem__(self, 0, 100)


class Plain(array):
    pass


def numbers(xs):
    xs[0] = 1
    xs[1] = xs[0]
    xs[-1] = 5
    xs[1] += 2
    xs[0], xs[1] = xs[1], xs[0]
    i = 2
    xs[i], i = i, 0
    xs[i] = xs[i]
    xs.append(3)
    xs[len(xs) - 1] -= 1
    xs[1:3] = xs[0:2]
    del xs[0]
    xs.pop()
    for n in range(3):
        xs[n] = n * n
    return xs


def views(xs):
    m = memoryview(xs)
    m[0] = 7
    xs[1] = 8
    m[1] = 9
    m.release()
    with memoryview(xs) as m:
        m[-1] = 3
    n = m
    xs[0] = 1


class Table:
    def __init__(self, width, height):
        self.width = width
        self.data = array("d", [0.0]) * (width * height)
        self.rows = [self.data, array("i", range(width))]

    def __setitem__(self, at, value):
        x, y = at
        self.data[y * self.width + x] = value

    def __getitem__(self, at):
        x, y = at
        return self.data[y * self.width + x]


def table():
    t = Table(3, 2)
    t[1, 1] = 2.5
    t[0, 0] += 1.5
    t.rows[0][2] = -0.0
    t.rows[0][2] = 0.0
    t.rows[0][1] = float("nan")
    t.rows[0][1] = float("nan")
    t.rows[1][1] *= 1000
    t.data[5] -= t.data[4]
    return t


for xs in (array("i", range(4)), array("d", range(4)), array("q", [1 << 40] * 4), bytearray(4), Counts("i", range(4)), Plain("h", range(4))):
    print(list(numbers(xs)))
views(array("b", range(4)))
views(bytearray(b"abcd"))
text = array("u", "abcd") if sys.version_info < (3, 13) else array("w", "abcd")
text[0] = "x"
text[-1] = text[0]
print(text.tounicode(), list(table().data))
try:
    array("b", [1])[0] = 1000
except OverflowError:
    bad = bytearray(1)
    try:
        bad[5] = 1
    except IndexError:
        print("both")
