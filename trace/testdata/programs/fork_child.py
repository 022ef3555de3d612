# fork: the child runs free and untraced, only the parent is debugged.
# conformance: addresses
import os


def child_work(n):
    return n * 2


pid = os.fork()
if pid == 0:
    os._exit(child_work(3))
pid, status = 1, os.waitpid(pid, 0)[1]
code = status >> 8
