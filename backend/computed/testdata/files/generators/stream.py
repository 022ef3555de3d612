def evens(n):
    i = 0
    while i < n:
        yield i
        i += 2


def squares(items):
    for x in items:
        yield x * x


class Tree:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.value
        if self.right:
            yield from self.right


def by_length(words):
    return sorted(words, key=lambda w: len(w))


def compose(f, g):
    def both(x):
        return f(g(x))
    return both
