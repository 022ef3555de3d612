# bisect with its C accelerator blocked.
# user: bisect
import sys

sys.modules.pop("bisect", None)
sys.modules["_bisect"] = None
import bisect

xs = [1, 3, 3, 7]
left = bisect.bisect_left(xs, 3)
right = bisect.bisect_right(xs, 3)
bisect.insort(xs, 5)
try:
    bisect.bisect(xs, 1, -1)
except ValueError as e:
    why = str(e)
