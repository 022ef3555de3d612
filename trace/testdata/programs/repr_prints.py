# A __repr__ that prints: the text must not mix with the program's own.
# conformance: nolocals
class Loud:
    def __init__(self, n):
        self.n = n

    def __repr__(self):
        print("repr of", self.n)
        return "Loud"


def use(x):
    return x.n * 2


loud = Loud(4)
print("before")
a = use(loud)
print("after", a)
