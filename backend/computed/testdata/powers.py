"""Powers of floats, which C's pow rounds up or down."""


def powers(seed, n):
    exact = 0
    for i in range(n):
        seed = (seed * 1103515245 + 12345) % 2147483648
        x = seed / 65536 - 16384
        y = x / 1000
        a = y ** 2
        b = y ** 3
        c = abs(y) ** 0.5
        exact += a == y * y
    return exact


x = -2.500000000000002
y = x ** 2
z = powers(7, 60)
