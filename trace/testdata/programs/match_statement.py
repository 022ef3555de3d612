# The match statement: sequences, mappings, classes, guards, captures.
# python: >=3.10
class P:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


def kind(v):
    match v:
        case 0 | 1:
            return "bit"
        case [a, *rest] if rest:
            return a, rest
        case {"k": k, **others}:
            return k, others
        case P(0, y=y):
            return "axis", y
        case P() as p:
            return p.x
        case str(s):
            return s
        case _:
            return None


results = [
    kind(v)
    for v in (1, [1, 2, 3], {"k": 1, "j": 2}, P(0, 5), P(1, 2), "s", 2.5)
]
