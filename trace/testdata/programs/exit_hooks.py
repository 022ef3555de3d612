# atexit callbacks run when the module is over: they are no part of the debugged run.
import atexit

said = []


@atexit.register
def bye():
    said.append("bye")


x = len(said)
