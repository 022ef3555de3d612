# A generator between its caller's lines: calls, yields and resumptions interleave.
def count(n):
    k = 0
    while k < n:
        yield k
        k += 1
    return "done"


def use():
    t = 0
    for v in count(3):
        t += v
    return t


r = use()
it = count(2)
p = next(it)
q = next(it)
