class P:
    pass
p = P()
s = ascii(p)[:3]
