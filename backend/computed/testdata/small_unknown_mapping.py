from collections import defaultdict
d = defaultdict(int, a=1)
s = "%(a)d items" % d
