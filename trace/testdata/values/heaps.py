# heapq and bisect, which change lists from C.
import bisect
import heapq


class Task:
    def __init__(self, cost, name):
        self.cost, self.name = cost, name

    def __lt__(self, other):
        return self.cost < other.cost


def shortest(graph, start):
    dist = {start: 0}
    queue = [(0, start)]
    while queue:
        d, node = heapq.heappop(queue)
        for to, cost in graph[node].items():
            if to not in dist or d + cost < dist[to]:
                dist[to] = d + cost
                heapq.heappush(queue, (dist[to], to))
    return dist


graph = {"a": {"b": 4, "c": 1}, "b": {}, "c": {"b": 2}}
dist = shortest(graph, "a")
heap = [5, 3, 8]
view = heap
heapq.heapify(heap)
least = heapq.heapreplace(heap, 9)
both = heapq.heappushpop(heap, 1)
tasks = []
for cost in 3, 1, 2:
    heapq.heappush(tasks, Task(cost, "t%d" % cost))
first = heapq.heappop(tasks)
first.cost = 100
heapq.heappush(tasks, first)
push = heapq.heappush
push(heap, 0)
ranked = []
for x in 2, 1, 3:
    bisect.insort(ranked, x)
at = bisect.bisect(ranked, 2)
print(dist, heap, view is heap, least, both, [t.name for t in tasks], ranked, at)
