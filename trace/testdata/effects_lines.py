import math, heapq  #: math heapq
from collections import defaultdict, deque  #: defaultdict deque
import numpy  #: numpy
total = 0  #: total
rows = []  #: rows


class Node:
    count = 0

    def __init__(self, value):
        self.value = value  #: attribute:value
        self.items = []  #: attribute:items
        self.__hidden = 1  #: attribute:_Node__hidden
        Node.count += 1  #: attribute:count value

    @property
    def first(self):
        return self.items[0]  #:

    def add(self, x):
        self.items.append(x)  #: call:append
        self.items[0], self.items[1] = x, 1  #: item item
        self.find(x).value = 2  #: attribute:value
        self.items[self.find(x)] = 3  #: look
        self.items[self.first] = 4  #: look
        return self.find(x)  #:

    def find(self, x):  #: find
        return self

    def __repr__(self):  #= reach value
        return f"Node({self.value!r})"


class Many(Node):
    def __repr__(self):  #= reach
        return "Many(%s)" % ", ".join(map(repr, self))

    def kind(self):  #= any
        return f"Many({self.count})"

    def text(self):  #= reach items
        parts = []
        for x in self.items:
            parts.append(str(x))
        return " ".join(sorted(parts))

    def name(self):  #= own
        return type(self).__name__ + "!"

    def more(self):  #= reach
        return "%s%s" % (super().__repr__(), self.items)

    def asked(self):  #= any
        self.value += 1
        return str(self.value)

    def table(self):  #= any
        return rows[self.value]


def numbers(a, b, xs, d, f):
    c = a + b * 2  #: c
    c += 1  #: c value
    c = math.sqrt(a) if a > b else abs(b)  #: c
    x, y = a, b  #: x* y*
    x, y = y, x + y  #: x* y
    for i in range(len(xs)):  #: i
        c = xs[i]  #: c*
        if c < xs[i + 1] and c not in d:  #:
            continue  #:
        d[c] = i  #: item
        d[c], c = i, a  #: c* earlier
        d[a, b] += 1  #: item value
        d[f"{a}"] = 1  #: look
        del d[c]  #: delete
        xs[a:b] = [1]  #: look
        d.setdefault(a, []).append(b)  #: call:setdefault call:append
        d[math.floor(a)].append(1)  #: elements
        d[math.floor(a)] += 1  #: elements look
    text = "%s %d" % (a, b)  #: text
    text = " ".join(sorted(str(v) for v in xs))  #: text v
    print(text.upper(), len(xs), file=None)  #:
    while a and not b:  #:
        a -= 1  #: a value
    with open(text) as g:  #: g
        lines = g.read().split()  #: lines
    assert a, b  #:
    raise ValueError(text)  #:


def structures(xs, q, f, key):
    xs.append(1); xs.append(2)  #: call:append
    y = q.popleft()  #: y call:popleft
    heapq.heappush(xs, (1, y))  #: call:heappush
    xs.sort(key=lambda v: v.value)  #: call:sort
    xs.sort(key=key)  #: call:sort calls
    xs = sorted(xs, key=len)  #: xs
    z = xs.append  #: z** look reach
    z(1)  #: calls
    f(xs)  #: calls
    numpy.add(xs, 1)  #: calls
    f(xs)(y)  #: all calls
    f(1).append(2)  #: call:append calls
    q.pop().append(2)  #: call:append call:pop
    max(xs).append(2)  #: reach
    list.append(xs, 1)  #: call:append look
    y.next.next = z  #: attribute:next attribute:next
    y.next, y = y, z  #: all y*
    y = y.next  #: y**
    exec(y)  #: all
    setattr(y, "a", 1)  #: attribute:a
    y.__dict__["b"] = 2  #: look
    [v.append(1) for v in xs]  #: v reach
    n = Node(1)  #: n
    n.add(2)  #: call:add
    return n.items  #:


def bindings():
    global total
    total += 1  #: global:total value
    n = 0  #: n cell:n

    def inner():  #: inner
        nonlocal n
        n = n + 1  #: n cell:n
        return n  #:

    if (m := inner()) > 1:  #: m
        pass  #:
    try:
        del m  #: m
    except ValueError as e:  #: e
        n = 1  #: n cell:n e
    print(inner())  #:
    lines = [
        m for m in rows  #: lines m
    ]


async def waits(x):
    await waits(x)  #:
    await x  #: all
    async with x:  #: look calls all
        pass
