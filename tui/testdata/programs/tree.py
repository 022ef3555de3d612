"""A tree that is walked, and what is counted on the way."""

visited = 0
LIMIT = 10


class Node:
    def __init__(self, name, *children):
        self.name = name
        self.children = children


class Walker:
    def __init__(self):
        self.path = []

    def walk(self, node):
        global visited
        visited += 1
        self.path.append(node.name)
        for child in node.children:
            if visited < LIMIT:
                self.walk(child)
        self.path.pop()


tree = Node("root", Node("left", Node("leaf")), Node("right"))
Walker().walk(tree)
print(visited)
