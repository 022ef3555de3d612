# Weak references, their callbacks and finalizers, in a module.
import gc
import weakref

gc.disable()  # collections that nobody asks for come earlier under npdb


class Node:
    def __init__(self, name):
        self.name = name
        self.children = weakref.WeakSet()

    def __del__(self):
        print("del", self.name)


def tell(name):
    return lambda ref: print("gone", name)


a = Node("a")
b = Node("b")
ra, rb = weakref.ref(a, tell("a")), weakref.ref(b, tell("b"))
a.children.add(b)
print(len(a.children), rb() is b)
del b
print(len(a.children), rb())
a = None
print(ra())
registry = weakref.WeakValueDictionary()
for name in "xyz":
    registry[name] = node = Node(name)
    print(sorted(registry))
del node
print(sorted(registry))
keys = weakref.WeakKeyDictionary()
k = Node("k")
keys[k] = [k.name]
print(len(keys))
k = None
print(len(keys))
cycle = Node("cycle")
cycle.self = cycle
weakref.finalize(cycle, print, "finalized")
del cycle
print("collect")
gc.collect()
last = Node("at exit")
