# A handler that changes what the code it interrupts holds.
import signal

box = {"n": 0}
items = []


def handler(number, frame):
    box["n"] += 1
    items.append(frame.f_code.co_name)


def outer():
    mine = items
    signal.raise_signal(signal.SIGUSR1)
    n = box["n"]
    return inner(mine), n


def inner(theirs):
    before = len(theirs)
    signal.raise_signal(signal.SIGUSR1)
    after = len(theirs)
    return before, after


signal.signal(signal.SIGUSR1, handler)
a = outer()
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
b = outer()
print(a, b, box, items)
