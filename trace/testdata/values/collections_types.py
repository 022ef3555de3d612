# deque, defaultdict, Counter, OrderedDict, ChainMap, namedtuple.
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple

Point = namedtuple("Point", "x y tags")


def push(q, x):
    q.append(x)
    if len(q) > 2:
        return q.popleft()
    return None


def count(words, counts):
    for w in words:
        counts[w] += 1
    return counts.most_common(1)


q = deque(maxlen=3)
alias = q
gone = [push(q, [i]) for i in range(4)]
q[0].append("in q")
q.rotate(1)
q.appendleft("left")
q.extendleft("xy")
groups = defaultdict(list)
groups["a"].append(1)
groups["b"] += groups["a"]
touched = groups["c"]
touched.append(groups)
counts = Counter("abracadabra")
top = count("bbbb", counts)
counts.subtract("aaaa")
counts["new"] = counts["none"]
del counts["a"]
counts += Counter("z")
order = OrderedDict(a=1, b=[2])
order.move_to_end("a")
order["b"].append(3)
order.popitem(last=False)
p = Point(1, [2], {})
moved = p._replace(x=p)
p.y.append("in p")
p.tags["k"] = q
base, over = {"a": 1}, {}
chain = ChainMap(over, base)
chain["a"] = 2
over["b"] = []
chain["b"].append(1)
deep = defaultdict(lambda: defaultdict(int))
deep["x"]["y"] += 1
deep["x"]["z"] = len(deep)
print(q, alias is q, gone, dict(counts), top, order, p, moved, chain, deep["x"])
