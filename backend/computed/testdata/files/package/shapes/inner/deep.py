# The deepest module.
from .. import inner
from ..tools import twice

STEP = twice(1)


def up(n):
    return n + STEP
