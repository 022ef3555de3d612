class P:
    def __repr__(self):
        return "P()"
p = P()
s = f"{p!r}"
