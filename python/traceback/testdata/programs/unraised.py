def check(value):
    raise TypeError("bad value") from ValueError("never raised")


check(3)
