# Star arguments, keyword-only and positional-only ones, defaults that are shared.
def f(a, /, b, *rest, c=3, **others):
    total = a + b + sum(rest) + c
    return total, others


def shared(x, seen=[]):
    seen.append(x)
    return list(seen)


args = [1, 2, 3]
kw = {"c": 4, "z": 5}
r1 = f(*args, **kw)
r2 = f(1, b=2)
s1 = shared(1)
s2 = shared(2)
first, *middle, last = [*args, *"ab"]
try:
    f(1)
except TypeError as e:
    why = str(e)[:20]
