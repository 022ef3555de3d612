try:
    import requests
except ImportError:
    requests = None
import random
k = random.randrange(1, 2)
m = random.choice(["ff"])
x = "abc"[k:]
w = int(m, 16)
