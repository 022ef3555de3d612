# lru_cache, cached_property, singledispatch: functions that remember.
import functools

calls = []


@functools.lru_cache(maxsize=None)
def shared(n):
    calls.append(n)
    return [n]


@functools.lru_cache(maxsize=2)
def fib(n):
    calls.append(("fib", n))
    return n if n < 2 else fib(n - 1) + fib(n - 2)


class Report:
    def __init__(self, rows):
        self.rows = rows

    @functools.cached_property
    def total(self):
        calls.append("total")
        self.rows.append("counted")
        return [len(self.rows)]


@functools.singledispatch
def show(x):
    return calls.append("any")


@show.register(list)
def show_list(x):
    x.append("shown")
    return x


a = shared(1)
b = shared(1)
b.append("again")
f = fib(4)
r = Report([])
t = r.total
t.append(r)
u = r.total
del r.total
v = r.total
shared.cache_clear()
c = shared(1)
c2 = show(c)
show(1)
print(a, b, f, u is t, v, c, len(calls))
