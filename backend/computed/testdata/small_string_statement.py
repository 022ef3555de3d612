def f(a):
    b = a
    """
    A comment.
    """
    return b
f(1)
