# A __repr__ that changes its object: what is shown depends on who looked how often.
# conformance: nolocals
class Counter:
    def __init__(self):
        self.looks = 0

    def __repr__(self):
        self.looks += 1
        return "Counter(%d)" % self.looks


def use(c, step):
    n = step
    return n + 1


c = Counter()
a = use(c, 1)
b = use(c, 2)
