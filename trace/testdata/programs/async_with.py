# async with: enter and exit are coroutines, an exception passes through the exit.
import asyncio


class Lock:
    def __init__(self, log):
        self.log = log

    async def __aenter__(self):
        await asyncio.sleep(0)
        self.log.append("in")
        return self

    async def __aexit__(self, kind, value, tb):
        del tb
        self.log.append(kind.__name__ if kind else "out")
        return kind is KeyError


async def main():
    log = []
    async with Lock(log) as lock:
        log.append("body")
    async with Lock(log):
        raise KeyError("swallowed")
    del lock
    return log


result = asyncio.run(main())
