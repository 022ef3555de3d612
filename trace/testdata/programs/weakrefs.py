# Weak references and their callbacks: watching a program must not keep its objects alive.
# conformance: lifetimes
import weakref

gone = []


class Box:
    def __init__(self, n):
        self.n = n


def note(ref):
    gone.append(ref() is None)


def use():
    box = Box(1)
    ref = weakref.ref(box, note)
    n = ref().n
    return ref, n


ref, n = use()
dead = ref() is None
d = weakref.WeakValueDictionary()
keep = Box(2)
d["k"] = keep
before = len(d)
del keep
after = len(d)
