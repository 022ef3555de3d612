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
a = {5, 3, 269}
b = {n for n in [10]} | {5, 3, 269}
c = {13, 5, 21, 29}
d = {5, 269}
e = {5, len("abc"), 269, 13}
for item in {8, 16, 0}:
    f = item
