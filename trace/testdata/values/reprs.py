# Classes with a __repr__ of their own that depends on others.
limit = 3


class Vector:
    def __init__(self, *parts):
        self.parts = list(parts)

    def __repr__(self):
        return "Vector(%s)" % ", ".join(map(str, self.parts[:limit]))


class Wrapper:
    style = "<%r>"

    def __init__(self, inside):
        self.inside = inside

    def __repr__(self):
        return self.style % (self.inside,)


class Named(dict):
    def __repr__(self):
        return "Named%s" % dict.__repr__(self)


class Items(list):
    pass


class Text(str):
    def __repr__(self):
        return "Text(%s)" % str.__repr__(self)


def scale(v, by):
    v.parts[:] = [p * by for p in v.parts]
    return v


def shorten():
    global limit
    limit = 1
    return limit


v = Vector(1, 2)
w = Wrapper(v)
both = [w, {"v": v}]
scale(v, 3)
v.parts.append(4)
v.parts.append(5)
shorten()
Wrapper.style = "[%r]"
w.style = "{%r}"
w.inside = both
w.inside = Wrapper("text")
limit = 2
named = Named(a=v)
named["b"] = w
items = Items([v, named])
items.append(items)
items[0].parts.pop()
t = Text("t")
words = (t, [t])
print(both[1], items[0], named["a"], words)
