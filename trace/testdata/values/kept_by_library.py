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


# A method that a waiting generator's variable, or a closure's, refers to; an alias that is a tuple.
def waiting():
    rows = []
    hook = json.JSONDecoder(object_pairs_hook=rows.append)
    while True:
        text = yield len(rows)
        if text:
            hook.decode(text)
            size = len(rows)


def closing():
    rows = []
    hook = json.JSONDecoder(object_pairs_hook=rows.append)

    def read(text):
        hook.decode(text)
        size = len(rows)
        return size

    return read


generator, read = waiting(), closing()
next(generator)
for n in range(30):
    size += n
generator.send('{"n": 1}')
generator.send('{"o": 1}')
size = read('{"p": 1}')
size = read('{"q": 1}')
left, right = [], []
pair = left.append, right.append
hook = json.JSONDecoder(object_pairs_hook=pair[1])
hook.decode('{"r": 1}')
decode = json.JSONDecoder(object_pairs_hook=left.append).decode
decode('{"s": 1}')
size = len(left)
below = []; hook = json.JSONDecoder(object_pairs_hook=below.append)
hook.decode('{"t": 1}')
size = len(below)
print(size, left, right, below)


def suspended():
    rows = []
    yield json.JSONDecoder(parse_int=rows.append)
    size = len(rows)
    yield size


def closed():
    rows = []
    hook = json.JSONDecoder(object_pairs_hook=rows.append)

    def use():
        size = len(rows)
        return size

    return hook, use


g = suspended()
hook = next(g)
hook.decode("1")
size = next(g)
hook, use = closed()
size = use()
for n in range(20):
    size = n
hook.decode('{"a": 1}')
size = use()
size = use()
hook = json.JSONDecoder(object_pairs_hook=(left if size else right).append)
hook.decode('{"u": 1}')
size = len(left)
other = json.JSONDecoder(object_pairs_hook=(fresh := []).append)
other.decode('{"v": 1}')
size = len(fresh)
print(left, right, fresh)
