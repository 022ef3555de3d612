# Data structures: a tree, a trie, a ring, a heap of classes, an iterator over them.
class Tree:
    class Node:
        __slots__ = ("key", "left", "right")

        def __init__(self, key):
            self.key, self.left, self.right = key, None, None

    def __init__(self, keys=()):
        self.root = None
        for k in keys:
            self.insert(k)

    def insert(self, key):
        if self.root is None:
            self.root = Tree.Node(key)
            return
        node = self.root
        while True:
            side = "left" if key < node.key else "right"
            below = getattr(node, side)
            if below is None:
                setattr(node, side, Tree.Node(key))
                return
            node = below

    def remove(self, key):
        self.root = self._remove(self.root, key)

    def _remove(self, node, key):
        if node is None:
            return None
        if key != node.key:
            side = "left" if key < node.key else "right"
            setattr(node, side, self._remove(getattr(node, side), key))
            return node
        if node.left is None or node.right is None:
            return node.left or node.right
        least = node.right
        while least.left:
            least = least.left
        node.key = least.key
        node.right = self._remove(node.right, least.key)
        return node

    def __iter__(self):
        def walk(node):
            if node:
                yield from walk(node.left)
                yield node.key
                yield from walk(node.right)

        return walk(self.root)


class Trie(dict):
    def __missing__(self, ch):
        self[ch] = Trie()
        return self[ch]

    def insert(self, word):
        node = self
        for ch in word:
            node = node[ch]
        node["end"] = True

    def words(self, prefix=""):
        for ch, below in sorted(self.items(), key=lambda kv: kv[0]):
            if ch == "end":
                yield prefix
            else:
                yield from below.words(prefix + ch)


class Ring:
    def __init__(self, size):
        self.slots, self.head, self.count = [None] * size, 0, 0

    def put(self, x):
        self.slots[(self.head + self.count) % len(self.slots)] = x
        if self.count == len(self.slots):
            self.head = (self.head + 1) % len(self.slots)
        else:
            self.count += 1

    def __iter__(self):
        return (self.slots[(self.head + i) % len(self.slots)] for i in range(self.count))


tree = Tree([5, 2, 8, 1, 9, 3])
tree.remove(5)
tree.remove(1)
print(list(tree), tree.root.key)
trie = Trie()
for w in "to tea ted ten i in inn".split():
    trie.insert(w)
print(list(trie.words()), list(trie))
ring = Ring(3)
for i in range(5):
    ring.put([i])
print(list(ring), ring.slots)
