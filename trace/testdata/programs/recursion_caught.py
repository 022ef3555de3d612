# RecursionError raised wherever the limit happens to be met, and caught at the bottom.
# conformance: recursion
def down(n):
    return down(n + 1)


before = 1
try:
    down(0)
except RecursionError:
    caught = True
after = [before, caught]
later = sum(after)
