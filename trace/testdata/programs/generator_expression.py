# Generator expressions, consumed by builtins, lazily, and one inside another.
def double(x):
    return 2 * x


total = sum(double(x) for x in range(3))
lazy = (y for y in (z + 1 for z in range(4)) if y % 2)
first = next(lazy)
rest = list(lazy)
any_big = any(v > 2 for v in rest)
longest = max((len(w), w) for w in ("a", "ccc", "bb"))
