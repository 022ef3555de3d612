# SIGINT raised by the program becomes KeyboardInterrupt in the middle of a function.
import signal


def work():
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        return "interrupted"
    return "missed"


signal.signal(signal.SIGINT, signal.default_int_handler)
a = work()
