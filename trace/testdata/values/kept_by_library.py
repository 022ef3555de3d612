# Methods of containers that library objects keep, and call while other lines run.
import contextlib
import csv
import functools
import json
import weakref
from collections import deque

try:
    from xml.parsers import expat
except ImportError:
    expat = None


class Thing:
    pass


class Writer:
    def __init__(self, rows):
        self.write = rows.append


class Reader:
    def __init__(self):
        self.chunks = []
        self.parsed = json.JSONDecoder(object_pairs_hook=self.chunks.append)

    def read(self, text):
        self.parsed.decode(text)
        size = len(self.chunks)
        return size


def decoder():
    found = []
    hook = json.JSONDecoder(object_pairs_hook=found.append)
    return hook, found


def nested():
    return decoder()


def counting(text):
    seen = []
    hook = json.JSONDecoder(object_pairs_hook=seen.append)
    hook.decode(text)
    size = len(seen)
    return size


def mapped(f, items):
    return map(f, items)


def scan(text):
    chunks = []
    parser = expat.ParserCreate()
    parser.CharacterDataHandler = chunks.append
    parser.Parse(text, True)
    size = len(chunks)
    del parser
    return chunks, size


# Callbacks of weak references.
dead = []
thing = Thing()
weakref.finalize(thing, dead.append, 1)
thing = None
size = len(dead)

# Objects that a library writes to.
rows = []
sheet = csv.writer(Writer(rows))
sheet.writerow([1, 2])
size = len(rows)
target = Writer(rows)
print("a", 1, file=target)
size = len(rows)
with contextlib.redirect_stdout(target):
    print("b")
    size = len(rows)
size = len(rows)



class Shared:
    write = rows.append


print("c", file=Shared())
size = len(rows)

# Hooks of a decoder: below an attribute, a local variable, a container.
reader = Reader()
size = reader.read('{"a": 1}')
size = reader.read('{"a": {"b": 2}}')
hook, found = decoder()
hook.decode('{"c": 3}')
size = len(found)
pair = nested()
pair[0].decode('{"d": 4}')
size = len(pair[1])
other = pair[1]
pair = hook = None
size = counting('{"e": 5}')
held = [[], [[]]]
hook = json.JSONDecoder(object_pairs_hook=held[1][0].append)
hook.decode('{"f": 6}')
size = len(held)
table = {"x": [], 1: {}, (2, 3): deque(maxlen=2)}
hook = json.JSONDecoder(object_pairs_hook=table["x"].append)
hook.decode('{"g": 7}')
table = {"y": table}
hook.decode('{"h": 8}')
size = len(table)
last = json.JSONDecoder(object_pairs_hook=table["y"][(2, 3)].append)
last.decode('{"i": {"j": 9}}')
last.decode('{"k": 10}')
size = len(table)
merged = {}
both = json.JSONDecoder(object_pairs_hook=merged.update)
both.decode('{"l": 11}')
both.decode('{"l": 12, "m": 13}')
size = len(merged)
del merged
size = 0

# Several methods of one object.
stack = [3, 2, 1]
push, pop = functools.partial(stack.append, 4), iter(stack.pop, 3)
size = next(pop)
push()
size = next(pop)
ordered = sorted(pop)
size = len(stack)

# Iterators that another line advances.
log, words = [], set()
m = map(log.append, [1, 2, 3])
next(m)
size = len(log)
later = mapped(words.add, "ab")
for x in later:
    size = len(words)
first, *rest = map(log.append, [4, 5])
size = len(log)
1 in map(log.append, [6])
size = len(log)

# A parser that is given a method.
if expat is not None:
    chunks, size = scan("<a>one<b/>two</a>")
print(size, dead, rows, found, other, held, table, log, sorted(words), stack)
