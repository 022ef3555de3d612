# wait_for with a timeout that never comes, and a future set by call_soon.
# conformance: addresses
import asyncio


def settle(future, value):
    future.set_result(value)


async def ask():
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    loop.call_soon(settle, future, 42)
    value = await asyncio.wait_for(future, 60)
    del loop, future
    return value


answer = asyncio.run(ask())
