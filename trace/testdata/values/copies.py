# copy, deepcopy, pickle, json: new objects like old ones.
import copy
import json
import pickle


class Tree:
    def __init__(self, value, *children):
        self.value, self.children = value, list(children)

    def __copy__(self):
        copied.append(self.value)
        new = Tree(self.value)
        new.children = self.children
        return new

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.loaded = True


copied = []
leaf = Tree("leaf")
tree = Tree("root", leaf, leaf)
shallow = copy.copy(tree)
shallow.children.append(shallow)
deep = copy.deepcopy(tree)
deep.children[0].value = "deep"
leaf.value = "changed"
back = pickle.loads(pickle.dumps(leaf))
back.children.append(back)
data = json.loads('{"a": [1, {"b": null}], "c": "d"}')
data["a"][1]["b"] = data["c"]
lists = copy.deepcopy([data, data])
lists[0]["a"].append("one")
text = json.dumps(data)
array = bytearray(b"ab")
window = memoryview(array)
window[0] = 99
array += b"c" if False else b""
nested = [[1, [2]], (3, [4])]
same = nested[:]
same[0][1].append(5)
same[1][1].append(6)
print(shallow.children is tree.children, deep.children[0].value, text, array, nested, copied)
