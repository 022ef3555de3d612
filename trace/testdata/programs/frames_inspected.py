# The program looks at its own frames, and at what inspect knows of them.
# conformance: addresses
import inspect
import sys


def who():
    f = sys._getframe(1)
    name, line = f.f_code.co_name, f.f_lineno
    del f
    return name, line


def caller():
    x = who()
    return x


def names():
    a = 1
    b = dict(locals())
    b["a"] = 2
    return a, sorted(b)


a = caller()
b = names()
c = inspect.currentframe().f_lineno
src = inspect.getsource(who)[:9]
