# What sys.getrefcount says of what a module and its containers hold.
import sys


class Thing:
    pass


a = Thing()
print(sys.getrefcount(a))
b = [a, a]
print(sys.getrefcount(a), sys.getrefcount(b))
c = {"a": a}
d = (b, c)
print(sys.getrefcount(a), sys.getrefcount(c), sys.getrefcount(d))
b.clear()
del c["a"]
print(sys.getrefcount(a), sys.getrefcount(b))
e = a
print(sys.getrefcount(a))
e.self = e
print(sys.getrefcount(a))
