import random
d = {"a": 1, "b": 2}
try:
    for k in d:
        d[random.choice([k + k])] = 1
except RuntimeError as e:
    print(e)
