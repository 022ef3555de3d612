# Coroutines that share what they change.
import asyncio

log = []


class Channel:
    def __init__(self):
        self.queue = []
        self.sent = 0

    async def put(self, x):
        self.queue.append(x)
        self.sent += 1
        log.append(("put", x))
        await asyncio.sleep(0)
        return self.sent

    async def get(self):
        while not self.queue:
            await asyncio.sleep(0)
        return self.queue.pop(0)


async def produce(channel, n):
    for i in range(n):
        await channel.put([i])
    return channel


async def consume(channel, n):
    got = []
    while len(got) < n:
        x = await channel.get()
        x.append("seen")
        got.append(x)
    return got


async def main():
    channel = Channel()
    done, got = await asyncio.gather(produce(channel, 2), consume(channel, 2))
    log.append(done is channel)
    return got


got = asyncio.run(main())
print(got, log)
