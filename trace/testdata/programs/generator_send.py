# send, throw and close: values and exceptions go into a generator.
def average():
    total = 0.0
    n = 0
    value = None
    while True:
        try:
            sent = yield value
        except KeyError:
            total, n, value = 0.0, 0, None
            continue
        total += sent
        n += 1
        value = total / n


g = average()
next(g)
a = g.send(4)
b = g.send(8)
g.throw(KeyError("reset"))
c = g.send(1)
g.close()
try:
    g.send(1)
except StopIteration:
    over = True
