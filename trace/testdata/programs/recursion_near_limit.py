# Recursion that stays inside the limit by a hundred activations only.
import sys


def down(n):
    if n:
        return down(n - 1) + 1
    return 0


room = sys.getrecursionlimit() - 100
depth = down(room)
after = depth - room
