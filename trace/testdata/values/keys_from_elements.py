# Places whose keys are elements of texts, of arrays, or made of such.
from array import array


class Node:
    def __init__(self, name):
        self.name = name
        self.nodes = {}


def texts(root, text, raw):
    leaf = Node("leaf")
    root.nodes[text[0]] = Node("first")
    root.nodes[text[0]].nodes[text[1]] = leaf
    root.nodes[raw[0]] = Node("raw")
    root.nodes[raw[0]].nodes[raw[-1]] = leaf
    root.nodes[text[0] + text[1]] = Node("both")
    root.nodes[text[0] + text[1]].nodes["x"] = leaf
    root.nodes[text[0], 1] = Node("pair")
    root.nodes[text[0], 1].nodes[len(text[0])] = leaf
    return root


def numbers(root, places):
    leaf = Node("leaf")
    root.nodes[places[0]] = Node("first")
    root.nodes[places[0]].nodes[places[1]] = leaf
    root.nodes[places[0] + 1] = Node("next")
    root.nodes[places[0] + 1].nodes[places[1]] = leaf
    root.nodes[places[0]].nodes[places[1]].name = "other"
    return root


def loops(words):
    root = Node("root")
    for word in words:
        here = root
        for i in range(len(word)):
            if word[i] not in here.nodes:
                here.nodes[word[i]] = Node(word[: i + 1])
            here.nodes[word[i]].nodes.setdefault(word[-1], Node("?"))
            here = here.nodes[word[i]]
    return root


texts(Node("root"), "abc", b"abc")
for places in (bytearray(b"ab"), array("i", [3, 4]), [5, 6], (7, 8)):
    numbers(Node("root"), places)
loops(["an", "and", "bat"])
