# Iterators that change objects when something is taken from them.
from itertools import takewhile

ys = []
m = map(ys.append, [1, 2, 3, 4, 5, 6])
next(m)
list(m)
f = filter(ys.append, range(3))
a = 1
for x in f:
    a += 1
t = takewhile(ys.pop, [0, 1])
b = [x for x in t]
xs = [1, 2, 3]
taken = iter(xs.pop, 1)
first, *rest = taken
print(ys, a, b, first, rest, xs)
