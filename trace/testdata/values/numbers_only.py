# Nothing but numbers and texts.
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


total = 0
for i in range(12):
    for j in range(3):
        total += gcd(i, j)
flag = total > 10
name = "n" * 3
x = y = z = 1.5
x, y = y + 1, x * 2
z **= 2
c = 3 + 4j
b = b"bytes"
n = None
e = ...
print(total, flag, name, x, y, z)
