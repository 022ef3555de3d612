# Library code that calls back, keeps, and changes what it is given.
import collections.abc
import io
import queue
import random
import re
import string


class Rows(collections.abc.MutableSequence):
    def __init__(self):
        self.rows = []

    def __getitem__(self, i):
        return self.rows[i]

    def __setitem__(self, i, v):
        self.rows[i] = v

    def __delitem__(self, i):
        del self.rows[i]

    def __len__(self):
        return len(self.rows)

    def insert(self, i, v):
        self.rows.insert(i, v)


class Lower(string.Formatter):
    def get_value(self, key, args, keywords):
        used.append(key)
        return keywords[key]


used = []
rows = Rows()
rows.append([1])
rows.extend([[2], [3]])
rows.reverse()
inner = rows.rows
last = rows.pop()
last.append("popped")
rows += [last]
rows.remove(last)
q = queue.Queue()
q.put(used)
q.get().append("queued")
replaced = re.sub(r"\d", lambda m: used.append(m.group()) or "#", "a1b2")
shown = Lower().format("{x}", x=used)
r = random.Random(1)
cards = [[n] for n in range(4)]
r.shuffle(cards)
picked = r.choice(cards)
picked.append("picked")
out = io.StringIO()
print(used, file=out)
lines = out.getvalue().split()
out.truncate(0)
words = sorted({"b": 1, "a": 2}, key=str)
print(inner, last, replaced, len(shown), cards, lines, words)
