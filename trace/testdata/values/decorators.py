# Decorators that count, wrap and remember.
import functools

order = []


def logged(tag):
    log = []
    order.append(("made", tag))

    def wrap(f):
        order.append(("wraps", f.__name__))

        @functools.wraps(f)
        def inner(*args, **keywords):
            log.append(args)
            inner.calls += 1
            result = f(*args, **keywords)
            log.append(result)
            return result

        inner.calls = 0
        inner.log = log
        return inner

    return wrap


class Once:
    def __init__(self, f):
        self.f = f
        self.results = {}

    def __call__(self, *args):
        if args not in self.results:
            self.results[args] = self.f(*args)
        return self.results[args]


@logged("outer")
@logged("inner")
def extend(*parts, into=()):
    parts[0].append(into)
    return parts[0]


@Once
def slow(n):
    order.append(n)
    return [n]


a = []
b = extend(a, 1, into=a)
extend(b)
c = slow(1)
d = slow(1)
d.append("d")
extend.log.clear()
print(a is b, c, order, extend.calls, len(extend.__wrapped__.log))
