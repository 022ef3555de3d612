# A second exception in a finally replaces the first; only the second is fatal.
def f(x):
    try:
        return 1 // x
    finally:
        [].pop()


f(0)
