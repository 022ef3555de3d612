# Coroutines driven by hand: no event loop, only send.
class Wait:
    def __init__(self, what):
        self.what = what

    def __await__(self):
        got = yield self.what
        return got * 2


async def inner(x):
    y = await Wait(x)
    return y + 1


async def outer():
    a = await inner(1)
    b = await inner(a)
    return a, b


c = outer()
asked = [c.send(None), c.send(10)]
try:
    c.send(20)
except StopIteration as e:
    answer = e.value
del c
