import asyncio


async def work(n):
    await asyncio.sleep(0)
    return 10 // n


async def main():
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(work(0))
        tasks.create_task(work(1))


asyncio.run(main())
