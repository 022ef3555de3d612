# frozendict: no dict, but shown by its entries.
# python: >=3.15


class Point:
    def __init__(self, x):
        self.x = x


class Named(frozendict):
    pass


class Told(frozendict):
    def __repr__(self):
        return "told %d" % len(self)


def update(d):
    d["list"].append(4)
    d["point"].x = 5
    return d | {"z": 1}


empty = frozendict()
flat = frozendict(a=1, b="two")
deep = frozendict({"list": [1], "point": Point(2), (1, 2): frozendict(x=None)})
named = Named(flat, list=[1])
none = Named()
told = Told(flat)
ring = []
cycle = frozendict(ring=ring)
ring.append(cycle)
more = update(deep)
deep["list"][0] = deep["point"]
named["list"].extend([2, 3])
keys = set(flat)
by = {flat: 1}
inside = [flat, (deep,), {"k": empty}]
deep["list"].clear()
views = flat.keys(), flat.items()
