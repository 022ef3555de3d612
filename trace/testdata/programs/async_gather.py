# Several asyncio tasks interleave at each await.
import asyncio

log = []


async def worker(name, n):
    for i in range(n):
        log.append((name, i))
        await asyncio.sleep(0)
    return n


async def main():
    a, b = await asyncio.gather(worker("a", 2), worker("b", 3))
    return a + b


result = asyncio.run(main())
