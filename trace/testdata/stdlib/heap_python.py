# heapq with its C accelerator blocked: sift loops, merge as a generator.
# user: heapq
import sys

sys.modules.pop("heapq", None)
sys.modules["_heapq"] = None
import heapq

heap = [5, 3, 8, 1]
heapq.heapify(heap)
heapq.heappush(heap, 2)
smallest = heapq.heappop(heap)
swapped = heapq.heapreplace(heap, 9)
merged = list(heapq.merge([1, 4], [2, 3], key=lambda v: v))
large = heapq.nlargest(2, [4, 7, 1])
