# What a line changes is what code of the program has returned to it: functions, methods,
# properties, indexing, and what only looks like these.
import functools
from array import array


class Node:
    def __init__(self, name):
        self.name = name
        self.kin = []
        self.marks = {}
        self._next = None

    def me(self):
        return self

    @property
    def next(self):
        return self._next

    @next.setter
    def next(self, node):
        self._next = node

    @property
    def all(self):
        return self.kin

    @staticmethod
    def some(node):
        return node.marks

    @classmethod
    def of(cls, node):
        return node._next

    @functools.lru_cache(maxsize=None)
    def cached(self):
        return self.kin

    def __getattr__(self, name):
        if name == "odd":
            return self.marks
        raise AttributeError(name)


class Slotted:
    __slots__ = ("inner", "n")

    def __init__(self):
        self.inner = Node("inner")
        self.n = 0

    def itself(self):
        return self


class Grid:
    def __init__(self, width, height):
        self.rows = [[0] * width for _ in range(height)]
        self.cells = {}
        self.numbers = array("d", [0]) * width

    def __getitem__(self, at):
        if at == "numbers":
            return self.numbers
        if isinstance(at, str):
            return self.cells.setdefault(at, Node(at))
        return self.rows[at]


def first(nodes):
    return nodes[0]


def traced(f):
    @functools.wraps(f)
    def wrapper(*args):
        return f(*args)

    return wrapper


def behind(f):
    return functools.partial(f)


@traced
def second(nodes):
    return nodes[1]


@behind
def third(nodes):
    return nodes[2]


def count(node):
    node.counted = node.me().counted + 1 if "counted" in vars(node) else 1
    return node.counted


def attributes(nodes):
    first(nodes).name = "first"
    nodes[0].me().me().name = first(nodes).name + "!"
    first(nodes).me().next = nodes[1]
    nodes[0].next.name = "after"
    first(nodes).next.next = second(nodes)
    second(nodes).name = "second"
    third(nodes).name = "third"
    Node.of(nodes[0]).name += " of"
    nodes[0].of(nodes[0]).me().name = count(first(nodes).next)
    first(nodes).seen, second(nodes).seen = count(nodes[0]), count(nodes[0])
    for first(nodes).at in range(3):
        pass
    del first(nodes).at


def contents(nodes):
    first(nodes).all.append(1)
    first(nodes).all[0] += 5
    first(nodes).cached().append(2)
    first(nodes).cached()[0] = 3
    Node.some(first(nodes))["a"] = [1]
    nodes[0].some(nodes[0])["a"].append(count(nodes[0]))
    first(nodes).odd["b"] = 1
    del Node.some(first(nodes))["a"]
    first(nodes).me().all[:] = [7, 8, 9]
    first(nodes).all.sort(key=lambda n: -n)
    first([nodes[1]]).all.extend(first(nodes).all)
    first(nodes).all.append(first(nodes).all.pop())


def fresh():
    return Node("fresh"), []


def lost(keep):
    def make():
        keep.append(Node("made"))
        return keep[-1]

    make().name = "made " + str(len(keep))
    make().kin.append(len(keep))
    fresh()[1].append(1)
    fresh()[0].name = "gone"
    choose = make if len(keep) > 1 else None
    choose().name = "chosen"
    (choose or make)().name = "either"
    [make][0]().name = "listed"
    keep[0].maker = make
    keep[0].maker().name = "by an attribute"


def indexed(grid):
    grid[0][1] = 2
    grid[1][0] += 3
    grid[-1][-1] -= 1
    grid["a"].name = "b"
    grid["a"].kin.append(grid[0][1])
    grid["numbers"][1] = 2.5
    grid["numbers"][0] += 1
    grid[0].append(9)
    del grid[0][0]
    grid[0], grid.rows = None, grid.rows[::-1]


def failing(grid, nodes):
    for at in (0, 5):
        try:
            grid[at][0] = grid[at][1]
            first(nodes).kin[at] = at
        except IndexError:
            first(nodes).name = "failed"


def waiting(nodes):
    first(nodes).name = yield 1
    first(nodes).kin[0] = yield second(nodes)
    second(nodes).name = 1; yield 2; first(nodes).name = 2


def slots():
    one = Slotted()
    one.itself().n = 1
    one.itself().inner.name = "deep"
    one.itself().itself().inner = Node("other")
    one.itself().n += one.itself().n
    return one


nodes = [Node("a"), Node("b"), Node("c")]
try:
    Grid.__setitem__ = lambda self, at, value: None
    attributes(nodes)
    contents(nodes)
    kept = []
    try:
        lost(kept)
    except TypeError:
        pass
    grid = Grid(2, 2)
    indexed(grid)
    failing(grid, nodes)
    w = waiting(nodes)
    next(w), w.send("sent"), w.send(4), next(w, None)
    slotted = slots()
    first(nodes).name = "at module level"
    nodes[0].all.append("here")
    first(nodes).me().next.name = grid[0][0]
finally:
    print([(n.name, n.kin, n.marks) for n in nodes], grid.rows, len(kept))
