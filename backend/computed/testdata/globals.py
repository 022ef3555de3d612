# Globals that a function changes in a way that is not computed.
import random

n = 0
xs = []
kept = [7]


def draw():
    global n
    n = int(random.random() * 0) + 5
    m = n
    return n + m


def add():
    xs.append(int(random.random() * 0))
    k = len(xs)
    return k + kept[0]


def both():
    a = draw()
    b = add()
    return a, b, n, xs, kept


def loop():
    global n
    for n in map(abs, {int(random.random() * 0) - 3}):
        m = n
    return m, n


draw()
add()
print(both(), n, xs)
print(loop(), n)


class Box:
    count = 0
    items = []

    def fill(self):
        Box.count += int(random.random() * 0) + 1
        self.items.append(int(random.random() * 0) + 2)
        c = Box.count
        d = list(self.items)
        return c, d


def collect(x, into=[]):
    into.append(int(random.random() * 0) + x)
    return len(into)


def counter():
    made = 0
    seen = []

    def more():
        nonlocal made
        made += int(random.random() * 0) + 1
        random.shuffle(seen)
        return made

    first = more()
    second = more()
    return first, second, made, seen


box = Box()
print(box.fill(), Box.count, Box.items)
print(collect(3), collect(4))
print(counter())
held = {"a": [3, 1, 2]}
also = held["a"]


def mix(xs):
    random.seed(3)
    random.shuffle(xs)
    return xs[0]


print(mix(also), held, also)
rows = [[2, 1], [4, 3]]


def change():
    random.shuffle(rows[0]) or random.shuffle(rows[1])
    first = rows[0][0]
    return first, rows


print(change())
