"""A search tree whose repr shows all of it."""

import zlib


class Tree:
    def __init__(self, key):
        self.key = key
        self.left = self.right = None

    def insert(self, key):
        side = "left" if key < self.key else "right"
        below = getattr(self, side)
        if below is None:
            setattr(self, side, Tree(key))
        else:
            below.insert(key)  # hot: key is None

    def __len__(self):
        return 1 + sum(len(t) for t in (self.left, self.right) if t is not None)

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.key
        if self.right is not None:
            yield from self.right

    def __repr__(self):
        return f"({self.left!r} {self.key} {self.right!r})"


tree = Tree(500)
for n in range(130):
    tree.insert(n * 379 % 1009)
print("checksum", zlib.crc32(repr((len(tree), list(tree)[:5],)).encode()))
