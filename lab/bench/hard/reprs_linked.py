"""A linked list with slots, whose repr walks the list."""

import zlib


class Node:
    __slots__ = ("value", "next")

    def __init__(self, value, next=None):
        self.value = value
        self.next = next

    def __repr__(self):
        return f"{self.value} -> {self.next!r}"


class Chain:
    def __init__(self):
        self.head = None

    def push(self, value):
        self.head = Node(value, self.head)  # hot: value is None

    def total(self):
        found, node = 0, self.head
        while node is not None:
            found += node.value
            node = node.next
        return found

    def __repr__(self):
        return f"<{self.head!r}>"


chain = Chain()
for n in range(150):
    chain.push(n)
for _ in range(8):
    total = chain.total()
print("checksum", zlib.crc32(repr((total,)).encode()))
