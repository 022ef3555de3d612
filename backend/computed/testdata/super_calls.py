class A:
    def __init__(self, n):
        self.n = n

    def f(self):
        return self.n


class B(A):
    """Has super."""
    k = 5

    def __init__(self, n):
        super().__init__(n + 1)
        self.m = n

    def f(self):
        return super().f() + self.m


b = B(3).f()
c = B.k
