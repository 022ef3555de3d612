# Lines that change one place: an item, an attribute, an end, by other names too.
from collections import Counter, OrderedDict, defaultdict, deque


class Odd(dict):
    def __setitem__(self, key, value):
        dict.__setitem__(self, key, value)
        dict.__setitem__(self, "last", key)


class Plain(dict):
    pass


class Box:
    def __init__(self):
        self.n = 0
        self.things = []

    def add(self, x):
        self.n += 1
        self.things.append(x)
        self.things[0] = x
        self.name = "box"
        self.name += " of %d" % self.n
        return self.n


def dicts():
    for d in ({}, Odd(), Plain(), Counter(), OrderedDict(), defaultdict(int)):
        for key in ("a", "b", "a"):
            d[key] = d.get(key, 0) + 1
            d[key] += 2
        d["list"] = [1]
        d["list"] += [2]
        d["list"][0] += 5
        del d["a"]
        other = d
        other["list"].append(3)
    return d


def ends():
    xs, ys = [], deque(maxlen=3)
    zs = xs
    for n in range(5):
        xs.append(n)
        zs.append([n])
        ys.append(n)
    xs.append(1); zs.pop(); xs[0] = 7
    xs.pop()
    ys.popleft()
    xs[0], n = n, xs[0]
    return xs, ys


def two(a, b):
    a.append(1), b.append(2)
    a[0] = b[0] = 9
    a[0] += 1; b[0] += 1
    return a, b


def decorated(f):
    def inner(*args):
        return f(*args)
    return inner


@decorated
def twice(n):
    return n * 2


def moved():
    d = OrderedDict((c, [c]) for c in "abcd")
    d.move_to_end("b")
    d.move_to_end("d", last=False)
    d.popitem(last=False)
    d.pop("c")
    d.move_to_end("a")
    d["e"] = 1
    return d


box = Box()
box.add(1), box.add([2])
one = [0]
print(dicts(), ends(), two(one, one), two([1], [2]), twice(4), twice(5), moved(), box.name)


def rebound():
    parent = list(range(6)); held = [[n] for n in range(6)]; by = {0: 1}
    i = 4
    parent[i], i = 2, parent[i] - 1
    held[i], i = held[0], i + 1
    i, parent[i] = 0, 7
    by[i], i = i + 5, "a"
    by[i], i = [i], None
    by[i], i = 1, by
    parent[0], parent[1], i = 8, 9, 1
    parent[i], i, parent[i] = 5, 3, 6
    return parent, held, by


print(rebound())
