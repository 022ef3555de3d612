# A SIGINT handler of the program's own that raises through its caller.
# conformance: addresses
import signal


class Stop(Exception):
    pass


def handler(signum, frame):
    del frame
    raise Stop(signum)


def work(n):
    for i in range(n):
        if i == 2:
            signal.raise_signal(signal.SIGINT)
    return i


signal.signal(signal.SIGINT, handler)
try:
    work(4)
except Stop as e:
    why = e.args
signal.signal(signal.SIGINT, signal.SIG_DFL)
