import math
alpha = 1
_private = 2
beta = alpha + _private


def gamma(n):
    return n + alpha


for delta in range(3):
    pass
