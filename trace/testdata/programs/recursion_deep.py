# Recursion 500 deep, well inside the limit.
def down(n):
    if n:
        return down(n - 1) + 1
    return 0


depth = down(500)
