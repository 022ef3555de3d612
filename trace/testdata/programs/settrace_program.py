# The program calls sys.settrace itself: its function must not take the debugger's place.
# conformance: nolocals
import sys

seen = []


def mine(frame, event, arg):
    seen.append(event)
    return mine


def work(n):
    return n + 1


sys.settrace(mine)
a = work(1)
sys.settrace(None)
b = work(2)
