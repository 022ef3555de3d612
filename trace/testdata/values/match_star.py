# match, and star-unpacking.
# python: >=3.10
class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


def simplify(shape, seen):
    match shape:
        case [first, *rest] if not seen.append(first):
            rest.append("rest") if len(rest) < 3 else rest.pop()
            return simplify(rest, seen) if len(seen) < 4 else rest
        case {"kind": kind, **others}:
            others["new"] = kind
            seen.append(others)
            return others
        case Point(x=0, y=y) | Point(x=y, y=0):
            y.append(shape)
            return y
        case str() | int() as atom:
            seen += [atom]
            return atom
        case _:
            return None


seen = []
a = simplify([1, 2, 3, 4], seen)
b = simplify({"kind": seen, "z": 1}, seen)
c = simplify(Point(0, []), seen)
d = simplify("text", seen)
head, *middle, tail = [*seen[:2], *a, 0]
middle.append(head)
first, (second, *third) = [1], [2, 3, 4]
third[0] = first
first.append("first")
merged = {**b, "merged": third}
args = [*third, *middle]
args.clear()
print(a, len(b), len(c), d, head, tail, third, list(merged))
