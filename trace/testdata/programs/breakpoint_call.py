# breakpoint() in the program stops the debugger there.
# conformance: breakpoint
def f(x):
    y = x + 1
    breakpoint()
    return y


a = f(1)
b = a + 1
