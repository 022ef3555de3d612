"""Breadth-first search and Dijkstra's shortest paths on a road map."""

import heapq
import random
from collections import deque


class Graph:
    def __init__(self):
        self.roads = {}

    def connect(self, a, b, length):
        self.roads.setdefault(a, []).append((b, length))
        self.roads.setdefault(b, []).append((a, length))

    def neighbours(self, place):
        return self.roads.get(place, [])


def breadth_first(graph, start):
    steps = {start: 0}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        for other, _ in graph.neighbours(place):
            if other not in steps:
                steps[other] = steps[place] + 1
                queue.append(other)
    return steps


def dijkstra(graph, start):
    distance = {start: 0}
    previous = {}
    heap = [(0, start)]
    done = set()
    while heap:
        so_far, place = heapq.heappop(heap)
        if place in done:
            continue
        done.add(place)
        for other, length in graph.neighbours(place):
            longer = so_far + length
            if other not in distance or longer < distance[other]:  # hot: longer < 0
                distance[other] = longer
                previous[other] = place
                heapq.heappush(heap, (longer, other))
    return distance, previous


def path_to(previous, goal):
    path = [goal]
    while path[-1] in previous:
        path.append(previous[path[-1]])
    path.reverse()
    return path


def build(count, source):
    graph = Graph()
    names = [f"town{number}" for number in range(count)]
    for number in range(1, count):
        graph.connect(names[number], names[source.randrange(number)], source.randrange(1, 50))
    for _ in range(count * 2):
        a, b = source.choice(names), source.choice(names)
        if a != b:
            graph.connect(a, b, source.randrange(5, 100))
    return graph, names


def main():
    graph, names = build(700, random.Random(5))
    checksum = 0
    longest = []
    for start in names[:5]:
        steps = breadth_first(graph, start)
        distance, previous = dijkstra(graph, start)
        farthest = max(distance, key=lambda place: (distance[place], place))
        path = path_to(previous, farthest)
        if len(path) > len(longest):
            longest = path
        for place in names:
            checksum = (checksum * 17 + steps[place] + distance[place]) % 1000003
    print("longest path:", " -> ".join(longest))
    print("checksum", checksum)


if __name__ == "__main__":
    main()
