# The same source line many times over: places differ by number only.
x = 0
x = x + 1
x = x + 1
x = x + 1


def f(x):
    x = x + 1
    x = x + 1
    return x


def g(x):
    x = x + 1
    x = x + 1
    return x


x = f(x)
x = g(x)
