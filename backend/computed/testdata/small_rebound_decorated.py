import typing
def f(x):
    return x
g = f
def f(x):
    return x * 2
@typing.no_type_check
def f(x):
    return x + 1
a = f(1)
