# How deep a program can go, and what it meets there.
import sys


def down(n):
    return 0 if n == 0 else 1 + down(n - 1)


def endless(n):
    return endless(n + 1)


class Deep:
    def __getattr__(self, name):
        return getattr(self, name + "x")


print(down(300), sys.getrecursionlimit())
try:
    endless(0)
except RecursionError as e:
    print(type(e).__name__)
try:
    Deep().attribute
except RecursionError as e:
    print("in __getattr__")
nested = []
for _ in range(400):
    nested = [nested]
print(len(str(nested)))
print(down(200))
