# pdb.set_trace() in the program stops the debugger there.
# conformance: breakpoint
import pdb


def f(x):
    pdb.set_trace()
    return x


a = f(1)
b = a + 1
