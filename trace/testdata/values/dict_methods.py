# Methods of dicts that change them, and what they give.
def tally(words, into):
    for w in words:
        into.setdefault(w, []).append(len(into))
    return into


d = {}
tally("aba", d)
alias = d["a"]
alias.append("alias")
other = {"b": 0, **d}
d.update(other, c=alias)
popped = d.pop("a")
popped.append("popped")
d["a"] = d.pop("c")
last = d.popitem()
default = d.get("none", alias)
default.append("default")
keys, values = d.keys(), d.values()
d["view"] = 1
first = next(iter(values))
copied = d.copy()
copied["b"] = "copy"
d |= {"or": alias} if hasattr(dict, "__or__") else {}
nested = {"x": {"y": {}}}
nested["x"]["y"]["z"] = nested["x"]
nested["x"].clear()
d.clear()
made = dict.fromkeys("ab", [])
made["a"].append(1)
del made["a"]
made["a"] = 2
mixed = {1: "int", True: "bool", 1.0: "float", "1": "text", None: [], (1, 2): "pair"}
mixed[True] = "changed"
mixed[None].append(mixed[(1, 2)])
print(d, other, popped, last, keys, list(values), first, copied, nested, made, mixed)
