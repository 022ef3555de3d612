def f(x: int | None) -> int:
    return x
y = 1
