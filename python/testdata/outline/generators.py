import asyncio


def numbers(n):
    """Yields."""
    for i in range(n):
        got = yield i
        if got:
            yield (
                got
            )
    yield from (
        x
        for x in "ab"
        if x
    )


class Context:
    async def __aenter__(self):
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *exception):
        return None


async def ticks(n):
    for i in range(n):
        yield i


async def task(name):
    async with Context() as c:
        c = name
    async for i in ticks(2):
        c += str(i)
    found = [
        j
        async for j
        in ticks(2)
        if j
    ]
    return c, found


async def main():
    return await asyncio.gather(
        task("a"),
        task("b"),
    )


g = numbers(2)
next(g)
g.send(5)
list(g)
asyncio.run(main())
squares = {
    k: v
    for k in range(2)
    for v in {
        w
        for w in range(k)
    }
}
total = sum(
    n
    for n in numbers(2)
    if isinstance(n, int)
)
