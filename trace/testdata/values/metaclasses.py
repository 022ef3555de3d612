# Classes that classes make: metaclass, __init_subclass__, type(), __call__.
registry = []


class Meta(type):
    def __new__(mcs, name, bases, names, **keywords):
        names["made"] = len(registry)
        cls = super().__new__(mcs, name, bases, names)
        registry.append(name)
        return cls

    def __init__(cls, name, bases, names, **keywords):
        super().__init__(name, bases, names)
        cls.keywords = keywords

    @classmethod
    def __prepare__(mcs, name, bases, **keywords):
        registry.append("prepare")
        return {"prepared": [name]}

    def __call__(cls, *args):
        one = super().__call__(*args)
        one.number = len(registry)
        registry.append(one)
        return one


class Base(metaclass=Meta, size=1):
    values = [1, 2]
    doubled = [v * 2 for v in values]
    total = sum(doubled)
    values.append(total)
    for i in range(2):
        values.append(i)
    del i

    def __init__(self, x):
        self.x = x


class Plugin:
    found = {}

    def __init_subclass__(cls, key=None):
        cls.found[key] = cls.__name__


class One(Plugin, key=1):
    box = []
    box.append(key := "walrus")


Two = type("Two", (Plugin,), {"box": One.box}, key=2)
Two.box.append("two")
a = Base([1])
b = Base(a)
a.x.append(b.number)
registry.clear()
print(Plugin.found, One.box, Base.values, Base.made, b.x.x)
