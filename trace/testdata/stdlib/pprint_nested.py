# pprint: recursion over containers, dispatch by the __repr__ of a type.
# conformance: addresses
# user: pprint
import sys

sys.modules.pop("pprint", None)
import pprint

text = pprint.pformat({"b": [1, 2, (3,)], "a": {"deep": {"er": "x" * 30}}}, width=24)
flat = pprint.pformat([1, "two"])
loop = [1]
loop.append(loop)
cyclic = pprint.isrecursive(loop)
safe = pprint.saferepr({"k": None})
