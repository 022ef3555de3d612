# A __repr__ that raises, as that of an object that is not made up yet.
from dataclasses import dataclass, field


@dataclass
class Part:
    children: dict = field(default_factory=dict)

    def __repr__(self):
        return self.name


class Whole:
    def __init__(self, n):
        self.parts = [Part()] * n
        self.first = self.parts[0]
        self.name = "whole"

    def __repr__(self):
        return "%s %r" % (self.name, self.parts)


def create(n):
    dead = {}
    for k in "ab":
        dead[k] = [0, None]
    return (Part(), {}, n)


a, b, n = create(1)
a.children["b"] = b
w = Whole(2)
b["w"] = w
a.name = "named"
w.first.name = "first"
w.parts.pop()
del a.name
print(n, w.name, len(w.parts))
