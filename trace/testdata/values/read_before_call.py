# A line that calls reads an item first, which the dict makes then; a class is met by the
# line before the one that changes its object; weak references end after a __del__.
from collections import defaultdict
import threading
import weakref


class Count:
    def __init__(self):
        self.n = 0


def more(n):
    return n + 1


def add(counts, key):
    counts[key] += more(len(counts))
    return counts[key]


def add_below(made, key):
    made[key].n += more(len(made))
    return made


sums = defaultdict(int)
for key in "abca":
    last = add(sums, key)
made = defaultdict(Count)
for key in "aba":
    add_below(made, key)


def take():
    places = threading.Semaphore(3)
    places.acquire()
    return places


left = take()


class Node:
    def __init__(self, name):
        self.name = name
        self.around = weakref.WeakSet()

    def __del__(self):
        self.name = "gone"


a, b = Node("a"), Node("b")
a.around.add(b)
del b
size = len(a.around)
