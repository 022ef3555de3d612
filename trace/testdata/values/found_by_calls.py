# What is changed lies in a tuple, at an index that only a call knows; a class whose
# metaclass answers for itself; texts of two objects that show each other.
def pick():
    return 1


pair = ([1], [2])
second = pair[1]
pair[pick()].append(3)
x = 1


class Asked(type):
    asked = 0

    def __subclasscheck__(cls, other):
        Asked.asked += 1
        return False


class Shown(metaclass=Asked):
    style = "a"

    def __init__(self):
        self.other = None

    def __repr__(self):
        return "<%s %s>" % (self.style, self.other is not None)


one, two = Shown(), Shown()
one.other, two.other = two, one
Shown.style = "b"
x = 2
print(pair, Asked.asked)
