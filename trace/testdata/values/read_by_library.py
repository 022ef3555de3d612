# Code of the library that reads keys of a defaultdict, runs texts of the program, and takes
# numbers that an attribute counts.
import collections
import itertools
import runpy
import timeit


class Numbers:
    def __init__(self):
        self.ids = itertools.count(1)
        self.left = itertools.repeat("again", 3)

    def new(self):
        return next(self.ids)

    def again(self):
        text = next(self.left)
        ids = self.ids
        return text, ids


FORM = "%(form)s"
numbers = Numbers()
first = numbers.new()
second = numbers.new()
third = numbers.again()[0]
times = []
timeit.timeit("times.append(1)", globals=globals(), number=2)
size = len(times)
made = runpy.run_module("keyword", init_globals={"times": times})["__name__"]
found = collections.defaultdict(list)
text = "%(x)s" % found
size = len(found)
text = FORM % found
size = len(found)
text = "{y}".format_map(found)
size = len(found)
each = list(map(found.__getitem__, "ab"))
size = len(found)
read = found.__getitem__
read("c")
size = len(found)
ordered = sorted("ed", key=found.__getitem__)
size = len(found)
later = map(found.__getitem__, "fg")
size = len(next(later))
size = len(found)
print(size, text, made, first, second, third)
