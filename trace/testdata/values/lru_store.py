# A cache of objects with an index, an order and statistics that share them.
from collections import OrderedDict


class Entry:
    __slots__ = ("key", "value", "hits")

    def __init__(self, key, value):
        self.key, self.value, self.hits = key, value, 0


class Cache:
    def __init__(self, size):
        self.size = size
        self.entries = OrderedDict()
        self.stats = {"hit": 0, "miss": 0}

    def get(self, key, make):
        entry = self.entries.get(key)
        if entry is None:
            self.stats["miss"] += 1
            entry = self.entries[key] = Entry(key, make(key))
            if len(self.entries) > self.size:
                self.evicted = self.entries.popitem(last=False)[1]
        else:
            self.stats["hit"] += 1
            self.entries.move_to_end(key)
        entry.hits += 1
        return entry.value


def make(key):
    made.append(key)
    return [key] * 2


made = []
cache = Cache(2)
stats = cache.stats
a = cache.get("a", make)
b = cache.get("b", make)
a.append("changed")
again = cache.get("a", make)
c = cache.get("c", make)
print(again, stats, made, cache.evicted.key, list(cache.entries))
