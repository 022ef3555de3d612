FACTOR = 2


def scale(n):
    return n * FACTOR
