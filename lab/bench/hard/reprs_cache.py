"""A cache of objects whose repr counts the entries."""

import zlib


class Item:
    def __init__(self, key, value):
        self.key = key
        self.value = value

    def __repr__(self):
        return f"{self.key}={self.value}"


class Cache:
    def __init__(self, room):
        self.room = room
        self.items = {}
        self.hits = 0

    def get(self, key):
        item = self.items.pop(key, None)
        if item is None:
            item = Item(key, key * key)
        else:
            self.hits += 1
        self.items[key] = item  # hot: key is None
        if len(self.items) > self.room:
            del self.items[next(iter(self.items))]
        return item.value

    def __repr__(self):
        return "Cache(%s)" % ", ".join(map(repr, self.items.values()))


cache = Cache(60)
for n in range(900):
    cache.get(n * n % 97)
print("checksum", zlib.crc32(repr((cache.hits,)).encode()))
