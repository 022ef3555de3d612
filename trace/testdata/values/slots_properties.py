# __slots__, properties, descriptors, and attributes made on the way.
class Slotted:
    __slots__ = ("a", "b", "__private")

    def __init__(self, a):
        self.a = a
        self.__private = [a]

    def push(self, x):
        self.__private.append(x)
        self.b = self.__private
        return self


class Mixed(Slotted):
    def __init__(self, a):
        super().__init__(a)
        self.c = a


class Celsius:
    def __init__(self):
        self._degrees = 0
        self.log = []

    @property
    def degrees(self):
        self.log.append("read")
        return self._degrees

    @degrees.setter
    def degrees(self, value):
        self.log.append(value)
        self._degrees = value

    @degrees.deleter
    def degrees(self):
        self._degrees = None


class Typed:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return obj.__dict__.setdefault(self.name, [])

    def __set__(self, obj, value):
        obj.__dict__[self.name] = [value]


class Holder:
    field = Typed()

    def __getattr__(self, name):
        value = ["made", name]
        setattr(self, name, value)
        return value

    def __setattr__(self, name, value):
        changes.append(name)
        super().__setattr__(name, value)


changes = []
s = Slotted([1])
s.push(2).push(3)
s.a.append(4)
del s.a
m = Mixed("m")
m.push(m)
m.d = s
c = Celsius()
c.degrees = 5
c.degrees += 1
del c.degrees
h = Holder()
h.field.append("appended")
h.field = "set"
h.nothing.append("more")
h.nothing = None
del h.nothing
again = h.nothing
h.__dict__["direct"] = again
vars(h).update(x=1, y=h)
object.__setattr__(h, "z", 2)
print(s.b, m.b[0], c.log, changes, again)
