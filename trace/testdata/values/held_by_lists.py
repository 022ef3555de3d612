# Objects that no weak reference finds, handed on from lists that attributes hold; and
# such as are made where others were freed.
from collections import deque


class Node:
    __slots__ = ("items", "nodes")

    def __init__(self, *items):
        self.items = list(items)
        self.nodes = None

    def add(self, key):
        if self.nodes is None:
            self.items.append(key)
        else:
            self.nodes[key % len(self.nodes)].add(key)
        return self

    def split(self):
        self.nodes = [Node(*self.items[:1]), Node(*self.items[1:])]
        self.nodes[0].add(100)
        self.items = []

    def first(self, depth=0):
        if self.nodes is None:
            return self
        return self.nodes[0].first(depth + 1)


class Tree:
    def __init__(self):
        self.all = [Node(1), Node(2, 3)]
        self.queue = deque(self.all)
        self.pair = (self.all[0], [])

    def replace(self):
        self.all[0] = Node(9)
        self.all[0].add(4)
        self.all.pop().add(5)
        self.all.append(Node())
        self.all[-1].add(6)
        self.queue.popleft().add(7)
        self.queue[0].add(8)
        self.pair[0].add(9)
        self.pair[1].append(self.all[0].add(10))
        for node in self.all:
            node.add(11)
        for n in range(3):
            Node(n).add(n).split()


def rotate(nodes):
    nodes[0].add(12)
    nodes[:] = [Node(20 + n) for n in range(3)]
    nodes[0].add(13)
    nodes[1], nodes[2] = nodes[2], nodes[1]
    nodes[1].add(14)
    del nodes[0]
    nodes[0].add(15)


def change(node, nodes):
    nodes[0] = Node(30)
    nodes[0].add(16)
    node.add(17)
    return nodes[0]


tree = Tree()
tree.replace()
rotate(tree.all)
tree.all[0].split()
tree.all[0].nodes[1].add(18)
tree.all[0].first().add(19)
change(tree.all[0], tree.all).add(20)
change(tree.all.pop(), tree.all).split()
print([node.items for node in tree.all], len(tree.queue))
rows = []
for n in range(3):
    rows.extend([[[n], [[]]], [[n]], (n, [n])])
    rows[n:n] = [[[n, []]], {"n": [[n]]}]
