class P:
    pass
p = P()
s = f"{p!r}"[:3]
t = "%r" % p
