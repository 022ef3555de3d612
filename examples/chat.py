"""Two coroutines that talk over a queue, under asyncio.

What to look for: an `await` that has to wait suspends its coroutine, which
shows as a return of kind `yield`. step_into (s) then enters whichever task
runs next; step_over (n) passes over all that and stays with the coroutine.
"""

import asyncio

LINES = ["hello", "how are you", "", "bye"]


async def speaker(queue):
    """Put every line on the queue, then None."""
    for line in LINES:
        await queue.put(line)
        await asyncio.sleep(0)
    await queue.put(None)
    return len(LINES)


async def listener(queue):
    """Answer lines until None comes; return the answers."""
    answers = []
    while True:
        line = await queue.get()
        if line is None:
            return answers
        try:
            answers.append(answer(line))
        except ValueError as problem:
            answers.append(f"({problem})")


def answer(line):
    """Return line's words in reverse order."""
    if not line:
        raise ValueError("silence")
    return " ".join(reversed(line.split()))


async def main():
    queue = asyncio.Queue(maxsize=1)
    spoken, answers = await asyncio.gather(speaker(queue), listener(queue))
    for line, reply in zip(LINES, answers):
        print(f"{line!r:>14} -> {reply!r}")
    print(f"{spoken} lines spoken, {len(answers)} answered")


if __name__ == "__main__":
    asyncio.run(main())
