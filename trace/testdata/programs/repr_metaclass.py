# __repr__ on a metaclass, a __class__ that lies, a __getattr__ that answers everything.
class Meta(type):
    def __repr__(cls):
        return "<Meta %s>" % cls.__name__


class Thing(metaclass=Meta):
    pass


class Liar:
    @property
    def __class__(self):
        return int


class Anything:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return name


holder = [Thing]
liar = Liar()
any_one = Anything()
x = any_one.hello
