# Generators that are never finished: dropped at a yield, dropped before they began, kept to the end.
# conformance: lifetimes
log = []


def numbers(name):
    try:
        n = 0
        while True:
            yield n
            n += 1
    finally:
        log.append(name)


a = numbers("a")
x = next(a)
del a
b = numbers("b")
del b
for y in numbers("c"):
    if y == 2:
        break
kept = numbers("kept")
z = next(kept)
order = list(log)
