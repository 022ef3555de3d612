# Objects that refer to each other, rewired while outer names look on.
class Node:
    def __init__(self, name):
        self.name = name
        self.next = None
        self.others = []

    def link(self, other):
        self.next = other
        other.others.append(self)
        return other


def ring(names):
    first = last = Node(names[0])
    for name in names[1:]:
        last = last.link(Node(name))
    last.link(first)
    return first


def cut(node):
    gone = node.next
    node.next = gone.next
    gone.others.clear()
    return gone


start = ring("abc")
here = start.next
gone = cut(start)
gone.next = gone
items = [start]
items.append(items)
table = {"self": None, "items": items}
table["self"] = table
items[1].append(here.name)
pair = (items, table)
pair[1]["pair"] = pair
here.next = None
del start.others[:]
print(gone.name, len(items), list(table))
