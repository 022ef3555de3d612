# copy: dispatch tables, recursion through containers and objects, a memo.
# conformance: addresses
# user: copy
import sys
import typing

sys.modules.pop("copy", None)
import copy


class Node:
    def __init__(self, n):
        self.n = n
        self.next = None


a = {"k": [1, (2, [3])]}
b = copy.deepcopy(a)
n = Node(1)
n.next = n
m = copy.deepcopy(n)
tied = m.next is m
s = copy.copy(n).n
