# __slots__, properties and descriptors: attribute access that runs user code.
class Point:
    __slots__ = ("x", "y", "__dict__")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    @property
    def norm(self):
        return abs(self.x) + abs(self.y)

    @norm.setter
    def norm(self, value):
        self.x, self.y = value, 0


class Bare:
    __slots__ = "only", "unset"

    def __init__(self):
        self.only = 1


class Typed:
    def __get__(self, obj, owner=None):
        return self if obj is None else obj.__dict__.get("_v", 0)

    def __set__(self, obj, value):
        obj.__dict__["_v"] = int(value)


class Holder:
    v = Typed()


p = Point(3, -4)
a = p.norm
p.norm = 9
p.extra = [p.x]
bare = Bare()
h = Holder()
h.v = "12"
b = h.v
