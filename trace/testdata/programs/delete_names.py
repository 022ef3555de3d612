# Names gone and back: del of locals and globals, a global from inside a function, except's own del.
x = 1
del x
x = [2]


def f(a):
    b = a
    del a
    c = b
    del b
    b = c + 1
    try:
        raise ValueError("v")
    except ValueError as e:
        b += len(e.args)
    try:
        return e
    except UnboundLocalError:
        return b


def g():
    global x, y
    del x
    y = "made"


r = f(1)
g()
try:
    x
except NameError:
    x = "back"
z = y
del y


def again():
    return 1


first = again()
del again, g
g = None


def again():
    return 2


second = again()
