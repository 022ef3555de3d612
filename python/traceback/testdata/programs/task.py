import asyncio


async def work(n):
    await asyncio.sleep(0)
    return 10 // n


async def main():
    task = asyncio.create_task(work(0), name="worker")
    await asyncio.sleep(0.01)
    del task


asyncio.run(main())
