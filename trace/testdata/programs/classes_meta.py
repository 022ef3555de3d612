# Metaclasses, __init_subclass__, __prepare__, __set_name__: user code inside a class statement.
class Meta(type):
    @classmethod
    def __prepare__(mcls, name, bases, **kw):
        return {"made": name}

    def __new__(mcls, name, bases, ns, **kw):
        ns["kw"] = sorted(kw)
        return super().__new__(mcls, name, bases, dict(ns))

    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)

    def __call__(cls, *args):
        obj = super().__call__(*args)
        obj.counted = True
        return obj


class Field:
    def __set_name__(self, owner, name):
        self.name = name


class Base(metaclass=Meta):
    def __init_subclass__(cls, **kw):
        super().__init_subclass__()
        cls.sub = True


class Child(Base, flavour="x"):
    field = Field()

    def __init__(self, n):
        self.n = n


c = Child(3)
name = Child.field.name
made = Child.made, Child.kw
