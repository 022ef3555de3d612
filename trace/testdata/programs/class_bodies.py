# Class bodies are code: loops, conditionals, names deleted, nested classes, docstrings.
class A:
    """Doc."""

    limit = 3
    for i in range(limit):
        if i == 1:
            one = i
    else:
        done = True
    del i

    class Inner:
        depth = 2

    def method(self):
        return self.limit

    alias = method
    table = {}
    table["k"] = limit


class B(A):
    limit = A.limit + 1
    __hidden = limit


x = B().alias()
y = B.Inner.depth
