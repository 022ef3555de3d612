# Operators, containers and conversions that call back into user code.
class V:
    def __init__(self, *xs):
        self.xs = xs

    def __add__(self, other):
        return V(*(a + b for a, b in zip(self.xs, other.xs)))

    def __eq__(self, other):
        return self.xs == other.xs

    def __hash__(self):
        return hash(self.xs)

    def __len__(self):
        return len(self.xs)

    def __getitem__(self, i):
        return self.xs[i]

    def __contains__(self, x):
        return any(x == y for y in self.xs)

    def __bool__(self):
        return bool(self.xs)

    def __format__(self, spec):
        return spec + str(self.xs)


a = V(1, 2) + V(3, 4)
same = a == V(4, 6)
n = len(a)
item = a[1]
inside = 6 in a
yes = "full" if a else "empty"
text = f"{a:>}"
d = {V(1): "one"}
one = d[V(1)]
listed = list(a)
