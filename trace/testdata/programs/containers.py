# Containers grow, shrink and are shared; subclasses of them; the order of sets.
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

Pair = namedtuple("Pair", "a b")
xs = []
for i in range(5):
    xs.append(i * i)
ys = xs
ys[1] = "changed"
d = defaultdict(list)
d["k"].append(1)
s = {3, 1, 2}
s.discard(1)
fz = frozenset("ab")
dq = deque(xs, maxlen=3)
dq.append("z")
c = Counter("hello")
od = OrderedDict(b=1, a=2)
od.move_to_end("b")
p = Pair(1, [2])
t = (1,)
nested = {"a": [{"b": (set(), {})}]}
nested["a"][0]["b"][1]["deep"] = xs


class MyList(list):
    def __repr__(self):
        return "MyList"


m = MyList([1])
del xs[1:]
