# Assignment expressions: in conditions, in comprehensions, in calls.
def f(n):
    return n // 2


data = [8, 3]
while (x := f(data[-1])) > 0:
    data.append(x)
big = [y for d in data if (y := d + 1) > 3]
if (n := len(big)) and n > 1:
    print(z := n)
total = f(m := 10) + m
