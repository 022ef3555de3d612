# Heaps: of numbers, of equal numbers, of tuples, of objects that compare themselves;
# pushed to and popped from by other names, and not as heaps are.
import heapq
from heapq import heapify, heappop, heappush, heappushpop, heapreplace


class Job:
    def __init__(self, rank, name):
        self.rank = rank
        self.name = name

    def __lt__(self, other):
        return self.rank < other.rank


def numbers():
    heap = []
    for n in (5, 3, 8, 1, 1, 9, 2, 1, 1, 7, 7, 7, 0):
        heappush(heap, n)
    while len(heap) > 3:
        least = heappop(heap)
        heap
    heapreplace(heap, 4)
    heappushpop(heap, 6)
    return heap


def same():
    heap = [1] * 300
    for _ in range(3):
        heappop(heap)
        heappush(heap, 1)
    heappush(heap, 0)
    return len(heap)


def pairs():
    heap = []
    for n in range(12):
        heappush(heap, (n * 7 % 5, n, [n]))
    other = heap
    while heap:
        rank, n, held = heapq.heappop(heap)
        held.append(rank)
        if n == 6:
            heappush(other, (9, n, held))
            heapq.heappush(heap, (2, n, held)); heapq.heappop(heap)
            break
    return heap


def jobs():
    heap = []
    for n in range(9):
        heappush(heap, Job(n * 5 % 7, "job%d" % n))
    first = heappop(heap)
    first.rank = 3
    heappush(heap, first)
    heap.append(Job(0, "not as a heap"))
    heapify(heap)
    return [heappop(heap).name for _ in range(len(heap))]


def mixed():
    heap = [(1, "a"), (2, "b")]
    heappush(heap, (-1, ["list"]))
    heappush(heap, (0, "z", 1)) if heap else None
    one = heappop(heap)
    heappop(heap), heappush(heap, one)
    heappop(heap)
    return heap


print(numbers(), same(), pairs(), jobs(), mixed())
