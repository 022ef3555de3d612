# Globals written behind the back of the statement: global, globals(), a dict method.
n = 0


def bump(by):
    global n
    n += by
    return n


a = bump(2)
globals()["made"] = a
b = made + 1
bump(b)
vars().update(c=3)
single = sum(map((1).__eq__, map(len, globals())))
