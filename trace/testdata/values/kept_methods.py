# Bound methods that objects and containers keep, and methods that __getattr__ finds. No
# line passes one to map or the like: all lines of such a file are examined with more care.
import functools
import heapq
from collections import deque, namedtuple
from types import SimpleNamespace


class Stack:
    def __init__(self, log):
        self.items = []
        self.push = self.items.append
        self.pop = self.items.pop
        self.log = log

    def move(self, x):
        self.push(x)
        self.log(x)
        return len(self.items)


class Slots:
    __slots__ = ("items", "push")

    def __init__(self):
        self.items = []
        self.push = self.items.append


class Box:
    def __init__(self, items):
        self.items = items

    def __getattr__(self, name):
        return getattr(self.items, name)


class Hidden:
    def __getattr__(self, name):
        return getattr(lines, name)


class Shared:
    def add(self, x):
        return x


def run(f, *args):
    f(*args)
    done = True
    return done


lines, words, heap = [], set(), []
stack = Stack(lines.append)
stack.move(1)
stack.push(2)
stack.log("two")
stack.pop()
slots = Slots()
slots.push(1)
box = Box([3, 1])
box.sort()
box.append(2)
Hidden().append("hidden")
found = Hidden().pop()
Shared.note = lines.append
Shared.note("class")
Shared().note("instance")
table = {"add": words.add, "drop": words.discard}
table["add"]("a")
table["drop"]("a")
space = SimpleNamespace(push=lines.append, pop=lines.pop)
space.push("space")
space.pop()
pair = namedtuple("Pair", "push size")(lines.append, 1)
pair.push("pair")
tasks = deque([lines.append, lines.extend])
tasks.popleft()("task")
tasks.pop()(["last"])
push = functools.partial(heapq.heappush, heap)
push(3)
del push
space.low = functools.partial(heapq.heappush, heap)
space.low(1)
again = functools.partial(lines.append, "again")
again()
run(again)
[again][0]()
run(words.update, ["b"])
size = len(lines) + len(heap)
del space, again
print(size, found, lines, words, heap)
