def f(data):
    for t in data:
        g = lambda: t
    rows = [t for t in data]
    y = 1
    return y
f([1, 2])
