# Iterators that call a bound method when another line takes their elements.
def mapped(f, items):
    return map(f, items)


log = []
m = mapped(log.append, [1, 2, 3, 4, 5])
next(m)
size = len(log)
for x in m:
    size = len(log)
    break
a, b = m
size = len(log)
rest = [*m]
print(log, size, a, b, rest)
