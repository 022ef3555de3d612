from .inner.deep import up


def square(n):
    return n * n


def rectangle(a, b):
    return a * b


def triangle(a, b):
    half = rectangle(a, b) / 2
    return up(half)
