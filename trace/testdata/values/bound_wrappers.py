"""Objects that change through a bound slot: for example the method-wrapper of __setattr__."""


class Frozen:
    __slots__ = ("name", "size")

    def __init__(self, name, size):
        put = object.__setattr__.__get__(self)
        put("name", name)
        put("size", size)
        put("size", size + 1)

    def __setattr__(self, name, value):
        raise AttributeError(name)


class Open:
    pass


def twice(change, *args):
    change(*args)
    change(*args)


one = Frozen("a", 1)
table, rows, free = {}, [1, 2, 3], Open()
for change, args in (
    (table.__setitem__, ("k", 1)),
    (table.__setitem__, ("k", [2])),
    (rows.__delitem__, (0,)),
    (rows.__iadd__, ([4, 5],)),
    (object.__setattr__.__get__(free), ("x", 3)),
    (free.__setattr__, ("y", 4)),
):
    change(*args)
    twice(change, *args) if change.__name__ != "__delitem__" else None
store = table.__setitem__
store("last", 5)
del store, change
print(one.name, one.size, table, rows, vars(free))
