# Objects that get the id of one that is gone.
class Node:
    def __init__(self, value):
        self.value = value


def loop(n):
    q = []
    for i in range(n):
        q.append([i])
        q.pop()
        q.append([i, i])
        q[0] = [i]
    return q


def fresh(n):
    last = None
    for i in range(n):
        last = Node([i])
        last = Node([i + 1])
        last.value = [last.value]
    return last


q = [[0]]
q.pop(); q.append(["again"])
q[0] = None; q[0] = {"x": []}
q[0]["x"] = None; q[0]["x"] = [1]
a = loop(3)
b = fresh(3)
c = [0]
c = [1]
c = [[2]]
c[0] = [3]
del c
c = [4]
pairs = []
for i in range(4):
    pair = (i, [i])
    pairs = [pair]
    del pair
d = {}
for word in "abc":
    d[word] = {}
    d[word] = {word: []}
    d.pop(word)
    d[word] = [d.get("a")]
e = [Node(n) for n in range(3)]
e[0] = Node("new")
e.pop(); e.append(Node("other"))
text = "a"
text += "b"
text += "c"
big = 10**20
big += 1
print(q, a, b.value, c, pairs, d, text, big)
