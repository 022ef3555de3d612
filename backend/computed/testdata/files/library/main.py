"""Imports of Python's own modules between those of the program."""
import json
import os.path
from collections import Counter, defaultdict

import work

data = work.load()
counts = Counter(data)
text = json.dumps(work.table)
print(work.join(["a", "b"]), text)
n = work.total(data)
words = work.group(["ab", "b", "ac"])
import random
random.seed(1)
m = work.total([n, n])
