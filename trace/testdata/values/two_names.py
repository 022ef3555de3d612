# Two names of one list, of several frames.
def add(items, x):
    items.append(x)
    alias = items
    alias[0] = x
    return alias


def twice(items):
    before = len(items)
    add(items, before)
    add(items, before + 1)
    return before


a = [1, 2]
b = a
c = [a, b, a]
n = twice(a)
d = add(b, "last")
same = d is a
b = b + [9]
add(b, 0)
c[1].append("through c")
a = None
c[0].clear()
print(a, b, c, d, same)
