# The order of names, of attributes and of keys, and what namespaces list.
b = 1
a = 2


class C:
    z = 1
    y = 2

    def __init__(self):
        self.n = 1
        self.m = 2


def names():
    second = 1
    first = second
    return list(locals()), first


c = C()
del b
b = 3
del c.n
c.n = 3
print([n for n in globals() if len(n) == 1], list(vars(c)), [n for n in vars(C) if len(n) == 1], names())
d = {"x": 1, "y": 2}
d["x"] = d.pop("x")
print(list(d), dir()[-4:], sorted(dir(c))[-4:])
exec("e = 5")
print(list(globals())[-3:])
