# Lines that end in CR LF.
def f(x):
    y = """a
b"""
    return y * x


z = f(2)
n = len(z)
