# Keys of dicts that are objects, and keys whose texts are alike.
class Key:
    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return self is other


class Shown(str):
    def __repr__(self):
        return "same"


a, b = Key(1), Key(1)
d = {a: "a", b: []}
d[b].append(d[a])
a.n = 2
d[a] = d[b]
del d[b]
d[b] = "new"
b.n = [a]
e = {(a, 1): [1], (b, 1): [2], (1, (2, "x")): [3]}
e[a, 1].append("more")
e[1, (2, "x")] = e[b, 1]
del e[a, 1]
f = {Shown("x"): 1, Shown("y"): [2]}
f["y"].append(3)
f["x"] = f
del f["x"]
g = {frozenset([1]): "f", "frozenset({1})": "text"}
g[frozenset([1])] = []
g["frozenset({1})"] = g[frozenset([1])]
h = {1.5: "a", "1.5": "b", b"k": "c", "k": "d", None: "e", "None": "f"}
h["1.5"], h[None] = h[None], h
h.pop(1.5)
print(len(d), len(e), f, g, list(h))
