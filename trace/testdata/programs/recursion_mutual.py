# Mutual recursion, and a recursion through a method that a library calls back.
class Node:
    def __init__(self, value, *children):
        self.value = value
        self.children = children

    def total(self):
        return self.value + sum(map(Node.total, self.children))


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


flags = even(4), odd(3)
total = Node(1, Node(2), Node(3, Node(4))).total()
