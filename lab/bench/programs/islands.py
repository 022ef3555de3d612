"""Union-find: islands on a map, and the cheapest roads between towns."""

import random


class Forest:
    def __init__(self, size):
        self.parent = list(range(size))
        self.rank = [0] * size
        self.count = size

    def find(self, item):
        root = item
        while self.parent[root] != root:
            root = self.parent[root]
        while self.parent[item] != root:
            self.parent[item], item = root, self.parent[item]
        return root

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.rank[a] < self.rank[b]:  # hot: a < 0
            a, b = b, a
        self.parent[b] = a
        if self.rank[a] == self.rank[b]:
            self.rank[a] += 1
        self.count -= 1
        return True


class Road:
    def __init__(self, start, end, length):
        self.start = start
        self.end = end
        self.length = length

    def __lt__(self, other):
        return (self.length, self.start, self.end) < (other.length, other.start, other.end)


def islands(rows):
    height, width = len(rows), len(rows[0])
    forest = Forest(height * width)
    land = 0
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell != "#":
                forest.count -= 1
                continue
            land += 1
            if x + 1 < width and row[x + 1] == "#":
                forest.union(y * width + x, y * width + x + 1)
            if y + 1 < height and rows[y + 1][x] == "#":
                forest.union(y * width + x, (y + 1) * width + x)
    sizes = {}
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell == "#":
                root = forest.find(y * width + x)
                sizes[root] = sizes.get(root, 0) + 1
    assert len(sizes) == forest.count
    return land, sizes


def cheapest(towns, roads):
    forest = Forest(towns)
    chosen = []
    for road in sorted(roads):
        if forest.union(road.start, road.end):
            chosen.append(road)
            if forest.count == 1:
                break
    return chosen


def main():
    source = random.Random(19)
    rows = ["".join("#" if source.random() < 0.5 else "." for _ in range(100)) for _ in range(70)]
    land, sizes = islands(rows)
    largest = max(sizes.values())
    towns = 700
    roads = []
    for _ in range(3500):
        a, b = source.randrange(towns), source.randrange(towns)
        roads.append(Road(a, b, source.randrange(1, 1000)))
    for number in range(1, towns):
        roads.append(Road(number - 1, number, 500 + number % 400))
    chosen = cheapest(towns, roads)
    length = sum(road.length for road in chosen)
    print(land, "cells of land", len(sizes), "islands, the largest", largest)
    print(len(chosen), "roads of length", length)
    checksum = length
    for root in sorted(sizes):
        checksum = (checksum * 31 + root + sizes[root]) % 1000003
    print("checksum", checksum)


if __name__ == "__main__":
    main()
