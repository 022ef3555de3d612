# A __repr__ that raises, and one that raises only for some values.
# conformance: history
class Bad:
    def __init__(self, n):
        self.n = n

    def __repr__(self):
        raise ValueError("no repr")


class Moody:
    def __init__(self, n):
        self.n = n

    def __repr__(self):
        return "Moody(%d)" % (10 // self.n)


def use(x):
    y = x.n + 1
    return y


bad = Bad(1)
a = use(bad)
box = [bad, 2]
fine = Moody(5)
b = use(fine)
worse = Moody(0)
c = use(worse)
d = use(fine)
