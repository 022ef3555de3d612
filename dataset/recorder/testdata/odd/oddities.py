"""What is odd about frames, generators and names."""
import asyncio
import contextlib


class Meta(type):
    def __new__(mcs, name, bases, space, **kw):
        made = super().__new__(mcs, name, bases, space)
        made.kw = kw
        return made


class Shape(metaclass=Meta, sides=4):
    sides = 4
    names = [chr(97 + i) for i in range(2)]
    area = property(lambda self: self.width * self.sides)

    def __init__(self, width):
        self.width = width

    def grow(self, by=1):
        def helper():
            nonlocal by
            by += 1
            return self.width + by

        return helper()


def gen(n):
    try:
        for i in range(n):
            got = yield i
            if got:
                n = got
    except ValueError as e:
        yield str(e)
    finally:
        n = -1
    return n


def outer():
    total = yield from gen(2)
    return total


def unbound():
    x = 1
    del x
    try:
        return x
    except NameError as e:
        kept = type(e).__name__
    return kept


def fact(n):
    return 1 if n < 2 else n * fact(n - 1)


async def wait(n):
    await asyncio.sleep(0)
    return n + 1


async def both():
    async with guard() as g:
        found = [await wait(i) for i in range(2)]
    return g, found


@contextlib.asynccontextmanager
async def guard():
    yield "g"


s = Shape(3)
print(s.grow(2), s.area)
g = gen(3)
a = next(g)
b = g.send(2)
c = g.throw(ValueError("v"))
g.close()
d = list(outer())
e = unbound()
f = fact(4)
pairs = {k: v for k, v in zip("ab", (1, 2))}
q = [(x, y) for x in range(2) for y in "cd" if x]
z = (lambda k: [k + i for i in range(2)])(3)
del a
a = sorted(pairs, key=lambda k: -pairs[k])
h = asyncio.run(both())
with contextlib.suppress(KeyError):
    pairs["nope"]
match_me = {"k": [1, 2]}
try:
    try:
        1 / 0
    finally:
        w = 1
except ZeroDivisionError as err:
    w = repr(err)
x, *y = "xyz"
raise SystemExit(3)
