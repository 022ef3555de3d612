# A __repr__ that never comes back.
# conformance: nolocals hangs
class Sleeper:
    def __init__(self):
        self.n = 1

    def __repr__(self):
        while True:
            self.n
        return "never"


def use(x):
    return x.n


s = Sleeper()
a = use(s)
b = a + 1
