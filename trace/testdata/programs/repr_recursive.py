# Cycles: a list in itself, a dict in itself, objects that know each other.
class Node:
    def __init__(self, name):
        self.name = name
        self.other = None


def tie(a, b):
    a.other = b
    b.other = a
    return a


loop = [1]
loop.append(loop)
d = {}
d["self"] = d
n = tie(Node("a"), Node("b"))
pair = (loop, n)
