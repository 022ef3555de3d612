# Default arguments and attributes of functions, which live from call to call.
def collect(x, into=[], seen={}):
    into.append(x)
    seen[x] = into
    return into


def calls(n):
    calls.count += 1
    calls.log.append(n)
    if n:
        calls(n - 1)
    return calls.count


calls.count = 0
calls.log = log = []
a = collect(1)
b = collect(2)
c = collect(3, [])
d = calls(2)
log.append("outside")
collect.__defaults__[0].append("by hand")
collect.__defaults__ = ([], {})
e = collect(4)
print(a, b, c, d, e, log)
