from .. import sums
from ..shelf import Shelf as S


def down(n):
    if n:
        return down(n - 1) + 1
    return sums.total(S("x").add("k", 5))
