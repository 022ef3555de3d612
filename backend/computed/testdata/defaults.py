x = 1

def vis(
    board: list[list[str | None]] | None = None, *, add: bool = True
) -> None:
    """
    Doc.
    """

def vis2(
    board: list | None = None, *, add: bool = True
) -> None:
    pass

def vis3(
    board: list = None,
    *, add: bool = True
) -> None:
    pass

def vis4(
    board: int = None, *, add: int = True
):
    pass

def vis5(
    *, add: bool = True
) -> None:
    pass
x = 2
y = [2]


def both(
    a=1,
    b=x,
    *,
    c=y,
    d: int = 2,
    e=3,
):
    return a, b, c, d, e


def constants(
    a=1,
    b=(2, 3), *, c="c",
    d=None,
):
    return a


def some(a=y[0],
         b=len(y), *c,
         d=min(y)): return a


z = both(1) + (constants(), some())
f = [lambda a=1, *, b=2: a + b, lambda *, a=x, b=y: a]
z = f[0](), f[1](a=5)
