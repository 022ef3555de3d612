calls = 0


def count(*_):
    global calls
    calls += 1


class Meta(type):
    def __repr__(cls):
        count()
        return "META"


class Base:
    def __repr__(self):
        count()
        return "own"

    def __str__(self):
        count()
        return "str"

    def __len__(self):
        count()
        return 0

    def __iter__(self):
        count()
        return iter(())

    def __getattr__(self, name):
        count()
        raise AttributeError(name)

    def __hash__(self):
        count()
        return 1

    def __eq__(self, other):
        count()
        return self is other

    @property
    def value(self):
        count()
        return 1


class Sly(Base, metaclass=Meta):
    def __getattribute__(self, name):
        count()
        return object.__getattribute__(self, name)


class Slotted(Base):
    __slots__ = ("a", "b")


class Listed(list, Base):
    __repr__ = Base.__repr__
    __iter__ = Base.__iter__
    __len__ = Base.__len__


class Mapped(dict, Base):
    __repr__ = Base.__repr__
    __iter__ = Base.__iter__

    def items(self):
        count()
        return []

    def keys(self):
        count()
        return []


class Wrong(Exception):
    def __repr__(self):
        count()
        return "WRONG"

    def __str__(self):
        count()
        return "wrong"


def use(thing, *more):
    local = thing
    local.x = 1 if not isinstance(thing, Slotted) else None
    return local


def main():
    import functools, collections, types, weakref
    base, sly = Base(), Sly()
    base.items = [1, 2]
    base.other = base
    listed = Listed([1, 2])
    mapped = Mapped(a=1)
    slices = slice(base, sly)
    part = functools.partial(use, base, key=sly)
    bound = base.__repr__
    ring = collections.deque([base, sly], maxlen=3)
    default = collections.defaultdict(Base, a=base)
    space = types.SimpleNamespace(a=base, b=sly)
    proxy = types.MappingProxyType({"a": base})
    alias = list[base]
    ref = weakref.ref(sly)
    keys = {"a": base}.values()
    tup = (base, [sly, {"k": listed}])
    base.items.append(3)
    use(base)
    for name in ("one", "two"):
        base.name = name
        listed.append(name)
        list.append(listed, base)
        mapped["b"] = sly
    try:
        raise Wrong(base, sly)
    except Wrong as e:
        error = e
    try:
        raise ValueError(base)
    except ValueError as e:
        error = e
    return base


module = main()
kinds = [Sly, Base]
print("calls", calls)
