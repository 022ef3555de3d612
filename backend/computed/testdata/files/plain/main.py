"""A script and the module next to it: reads, calls and stores of its names."""
import helper
import helper as h
from helper import Counter, add, LIMIT as TOP

total = add(2, 3)
helper.LIMIT = 7
print(TOP, h.LIMIT, helper.limited(9))
h.seen.append(total)
helper.seen += [4]
c = Counter("a")
c.hit()
c.hit(2)
print(c.count, helper.seen, c)
same = helper.add is add and h is helper


def call(f, *args):
    return f(*args)


results = [call(add, i, i) for i in range(3)]
helper.register("x")
print(helper.names)
try:
    helper.fails(0)
except ZeroDivisionError as e:
    text = str(e)
try:
    helper.missing
except AttributeError as e:
    text = str(e)
if __name__ == "__main__":
    done = helper.where()
