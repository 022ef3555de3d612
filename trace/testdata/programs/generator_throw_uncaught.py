# throw into a generator that does not catch, one that has not begun, and one that answers with a return.
def plain():
    x = 1
    yield x
    yield x + 1


def polite():
    try:
        yield 1
    except ValueError:
        return "bye"


g = plain()
next(g)
try:
    g.throw(ValueError("in"))
except ValueError as e:
    first = str(e)
fresh = plain()
try:
    fresh.throw(TypeError("early"))
except TypeError as e:
    second = str(e)
p = polite()
next(p)
try:
    p.throw(ValueError)
except StopIteration as e:
    third = e.value
