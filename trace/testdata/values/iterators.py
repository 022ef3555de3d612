# Iterators and views whose source changes below them.
class Countdown:
    def __init__(self, n, log):
        self.n, self.log = n, log

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        self.log.append(self.n)
        return self.log


def drain(it, into):
    for x in it:
        into.append(len(x))
        if len(into) == 2:
            x.append("halfway")
    return into


log = []
c = Countdown(3, log)
into = drain(c, [])
items = [1, 2, 3]
it = iter(items)
first = next(it)
items.append(first)
rest = [x for x in it if len(items) < 8 and not items.append(x)]
both = list(zip(items, reversed(items)))
d = {"a": 1}
view = d.items()
d["b"] = items
for k, v in list(view):
    d[k * 2] = v
d["b"].clear()
pairs = dict(enumerate(map(list, ["ab", "c"])))
pairs[0].append(pairs)
while items or len(pairs) < 4:
    pairs[len(pairs)] = items.pop() if items else None
r = range(3)
a, b, *_ = r
print(into, log, rest, both[:2], sorted(d), len(view), a, b)
