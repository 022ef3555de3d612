# The program calls sys.setprofile: a profiler may run beside the debugger.
# conformance: nolocals
import sys

count = [0]


def profiler(frame, event, arg):
    count[0] += 1


def work(n):
    return n * 2


sys.setprofile(profiler)
a = work(1)
sys.setprofile(None)
b = work(a)
