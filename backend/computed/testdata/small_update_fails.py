v = {}
try:
    v.update([(1, 2), (3,)])
except ValueError:
    n = len(v)
