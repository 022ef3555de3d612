# A generator that recurses into itself: a walk over a tree.
def walk(tree):
    if tree is None:
        return
    left, value, right = tree
    yield from walk(left)
    yield value
    for v in walk(right):
        yield v


tree = ((None, 1, None), 2, ((None, 3, None), 4, None))
order = list(walk(tree))
del tree
