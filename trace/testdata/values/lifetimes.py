# __del__ and weak references happen when they would.
# conformance: lifetimes
import weakref

log = []


class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        log.append("del " + self.name)


def gone(ref):
    log.append("gone")


def use(name):
    one = Noisy(name)
    ref = weakref.ref(one, gone)
    box = [one]
    one = None
    inside = len(log)
    box.clear()
    after = len(log)
    return inside, after, ref() is None


def pass_on(x):
    kept = x
    x = None
    return len(log)


a = use("a")
b = Noisy("b")
r = weakref.ref(b, gone)
items = [b, b]
del b
n = len(log)
items.pop()
m = len(log)
items[0] = None
after = len(log)
c = pass_on(Noisy("c"))
cache = weakref.WeakValueDictionary()
cache["d"] = d = Noisy("d")
keys = len(cache)
d = None
left = len(cache)
finalizer = weakref.finalize(Noisy, log.append, "finalized")
finalizer()
Noisy("thrown away")
print(a, n, m, after, c, keys, left, log)
