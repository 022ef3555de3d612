# Comprehensions in comprehensions, on one line and on several; names that shadow.
x = "outer"
squares = [x * x for x in range(3)]
table = {k: [v for v in range(k)] for k in (1, 2)}
flat = {
    a + b
    for a in (1, 2)
    for b in (
        10,
        20,
    )
    if a + b != 12
}


def f(n):
    total = 0
    rows = [[i * j for j in range(n)] for i in range(n)]
    total = sum(sum(r) for r in rows)
    return [total for _ in range(2)]


class C:
    size = 3
    items = [i for i in range(size)]


r = f(2)
after = x
