def f(y, allowed):
    allowed.discard(y)
    allowed.add(y)
    allowed.add(y)
    return allowed
f(71, {1, 2, 4, 5, 7, 71})
print({3, 35, 67, 99, 131, 163, 6}, {1, 2, 3, 4}, {0, 8, 16, 24, 32, 40})
s = {7, 71, 135, 5, 1, 2}
t = s
s.add(199)
x = list(t)
