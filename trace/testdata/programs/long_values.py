# A string of two hundred thousand characters, a list of thousands, both changed a little.
def stretch(s, n):
    return s * n


s = stretch("ab", 100000)
t = s[:-1] + "c"
xs = list(range(3000))
xs[1500] = None
d = {i: str(i) for i in range(1000)}
n = len(t)
