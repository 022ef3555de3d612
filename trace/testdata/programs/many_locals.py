# A function with many names, of which few change; arguments that become cells.
def f(a, b, c):
    d, e, g, h = a, b, c, a + b
    i = j = k = [h]

    def cell():
        return a + h

    for m in range(3):
        h += cell()
    k.append(h)
    return i is j, m


r = f(1, 2, 3)
