# Cancellation: CancelledError is thrown in at the await, and cleaned up after.
import asyncio

log = []


async def patient():
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        log.append("cancelled")
        raise
    finally:
        log.append("finally")


async def main():
    task = asyncio.ensure_future(patient())
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        log.append("seen")
    del task


asyncio.run(main())
order = list(log)
