# An exception while another is handled: the context chain, and "from None".
def first():
    raise KeyError("k")


def second():
    try:
        first()
    except KeyError:
        raise TypeError("t")


def third():
    try:
        second()
    except TypeError:
        raise ValueError("v") from None


try:
    third()
except ValueError as e:
    hidden = e.__suppress_context__
second()
