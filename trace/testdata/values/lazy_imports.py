# Names that lazy imports bind: they change when code reads them.
# python: >=3.15
lazy import quopri
lazy import json.decoder
lazy from colorsys import ONE_THIRD, TWO_THIRD as two, nothing
lazy from tabnanny import verbose

count = 0


def area(r):
    global count
    count += 1
    return ONE_THIRD * r * r


class Circle:
    size = two

    def __init__(self, r):
        self.r = r
        self.kind = verbose


def unread():
    return globals()["quopri"]


first = area(1)
circle = Circle(2)
proxy = unread()
again = area(2)
text = quopri.encodestring(b"=")
parsed = json.decoder.JSONDecoder().decode("[1]")
try:
    print(nothing)
except ImportError as e:
    said = str(e)
nothing = 1
