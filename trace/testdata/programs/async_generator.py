# Async generators, async for, async comprehensions and aclose.
import asyncio


async def ticks(n):
    try:
        for i in range(n):
            await asyncio.sleep(0)
            yield i
    finally:
        await asyncio.sleep(0)


async def main():
    seen = []
    async for t in ticks(3):
        seen.append(t)
    squares = [t * t async for t in ticks(2)]
    g = ticks(5)
    first = await g.__anext__()
    await g.aclose()
    del g
    return seen, squares, first


result = asyncio.run(main())
