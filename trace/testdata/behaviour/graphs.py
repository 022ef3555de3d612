# Graphs: breadth first, depth first, topological order, union-find, components, Prim.
import heapq
from collections import defaultdict, deque


class Graph:
    def __init__(self):
        self.edges = defaultdict(dict)

    def add(self, a, b, cost=1):
        self.edges[a][b] = cost
        self.edges[b][a] = cost
        return self

    def breadth(self, start):
        seen, queue, order = {start}, deque([start]), []
        while queue:
            node = queue.popleft()
            order.append(node)
            for to in self.edges[node]:
                if to not in seen:
                    seen.add(to)
                    queue.append(to)
        return order

    def depth(self, node, seen=None):
        seen = [] if seen is None else seen
        seen.append(node)
        for to in self.edges[node]:
            if to not in seen:
                self.depth(to, seen)
        return seen

    def prim(self, start):
        heap, done, total = [(0, start)], set(), 0
        while heap:
            cost, node = heapq.heappop(heap)
            if node in done:
                continue
            done.add(node)
            total += cost
            for to, c in self.edges[node].items():
                if to not in done:
                    heapq.heappush(heap, (c, to))
        return total


class Sets:
    def __init__(self):
        self.parent = {}

    def find(self, x):
        p = self.parent.setdefault(x, x)
        if p != x:
            self.parent[x] = p = self.find(p)
        return p

    def union(self, a, b):
        self.parent[self.find(a)] = self.find(b)


def topological(after):
    counts = {n: 0 for n in after}
    for targets in after.values():
        for t in targets:
            counts[t] += 1
    ready, order = [n for n, c in counts.items() if not c], []
    while ready:
        node = ready.pop()
        order.append(node)
        for t in after[node]:
            counts[t] -= 1
            if not counts[t]:
                ready.append(t)
    return order


g = Graph()
for a, b, c in ["ab4", "ac2", "bc1", "bd5", "de3"]:
    g.add(a, b, int(c))
print(g.breadth("a"), g.depth("a"), g.prim("a"))
print(topological({"shirt": ["tie"], "tie": ["jacket"], "trousers": ["jacket"], "jacket": []}))
s = Sets()
for a, b in ["ab", "cd", "bd", "ef"]:
    s.union(a, b)
print(len({s.find(x) for x in "abcdef"}), s.parent)
