# Reprs with addresses: objects, functions, bound methods, generators, and strings that look like them.
class Thing:
    def m(self):
        return 1


class Plain(Thing):
    def __repr__(self):
        return object.__repr__(self)


def f():
    yield 1


def take(*xs):
    return len(xs)


t = Thing()
p = Plain()
n = take(t.m, f, len, "".join, Thing)
g = f()
q = [p, g, t.m]
s = "<x at 0x7f00>"
e = ValueError(p)
