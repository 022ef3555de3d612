"""A binary search tree: insert, find, delete, walk, and its height."""

import random


class Node:
    def __init__(self, key, value):
        self.key = key
        self.value = value
        self.left = None
        self.right = None


class Tree:
    def __init__(self):
        self.root = None
        self.size = 0

    def insert(self, key, value):
        if self.root is None:
            self.root = Node(key, value)
            self.size += 1
            return
        node = self.root
        while True:
            if key == node.key:
                node.value = value
                return
            if key < node.key:
                if node.left is None:
                    node.left = Node(key, value)
                    break
                node = node.left
            else:
                if node.right is None:
                    node.right = Node(key, value)
                    break
                node = node.right
        self.size += 1  # hot: key < 0

    def find(self, key):
        node = self.root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node

    def delete(self, key):
        self.root = self._delete(self.root, key)

    def _delete(self, node, key):
        if node is None:
            return None
        if key < node.key:
            node.left = self._delete(node.left, key)
        elif key > node.key:
            node.right = self._delete(node.right, key)
        else:
            self.size -= 1
            if node.left is None:
                return node.right
            if node.right is None:
                return node.left
            least = node.right
            while least.left is not None:
                least = least.left
            node.key, node.value = least.key, least.value
            self.size += 1
            node.right = self._delete(node.right, least.key)
        return node

    def height(self, node):
        if node is None:
            return 0
        return 1 + max(self.height(node.left), self.height(node.right))

    def __iter__(self):
        stack = []
        node = self.root
        while stack or node:
            while node:
                stack.append(node)
                node = node.left
            node = stack.pop()
            yield node.key, node.value
            node = node.right


def main():
    source = random.Random(3)
    tree = Tree()
    keys = [source.randrange(100000) for _ in range(3000)]
    for place, key in enumerate(keys):
        tree.insert(key, place)
    found = 0
    for key in range(0, 100000, 40):
        if tree.find(key) is not None:
            found += 1
    for key in keys[:1000]:
        tree.delete(key)
    checksum = 0
    last = -1
    for key, value in tree:
        assert key > last
        last = key
        checksum = (checksum * 31 + key + value) % 1000003
    print(tree.size, "keys, height", tree.height(tree.root), "found", found)
    print("checksum", checksum)


if __name__ == "__main__":
    main()
