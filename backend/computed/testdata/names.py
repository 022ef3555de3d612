# Names that a program binds are its own, whatever Python calls so.
def property(f):
    return 5


class Shadow:
    @property
    def x(self):
        return 1


def super():
    return [1]


class Child:
    def ask(self):
        return len(super())


class Odd:
    def __init__(self):
        return 3


shadow = Shadow().x
child = Child().ask()
try:
    odd = Odd()
except TypeError as e:
    text = str(e)
n: int = 4
try:
    m: nowhere = 5
except NameError as e:
    text = str(e)
try:
    def annotated(a: nowhere):
        pass
except NameError as e:
    text = str(e)
a, *b, c = "wxyz"
(d, e), f = (1, 2), [3]
g = h = [0]
h[0], (i, j) = 7, (8, 9)
