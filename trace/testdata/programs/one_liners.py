# Several statements on a line, and bodies on the line of their header.
a = 1; b = 2; c = a + b
if a: d = 4
if not a: d = 5
else: e = 6
for i in range(3): c += i
while c > 4: c -= 1
def f(x): return x + 1
class K: n = 1; m = 2
try: g = f(a) // 0
except ZeroDivisionError: g = 0
with open(__file__) as h: first = h.readline()[:3]
del h
