# What CPython says to operations that fail, part 5 of 5. Each is on a line of its own.
import math


class D:
    def __init__(self, v):
        self.v = v

    def m(self):
        return self.x

    def __repr__(self):
        return "D()"


try: D(1, 2)
except Exception as e: s = str(e)
try: D(1).m(5)
except Exception as e: s = str(e)
try: D(1).x.y
except Exception as e: s = str(e)
try: D.m()
except Exception as e: s = str(e)
try: D(1) + 1
except Exception as e: s = str(e)
try: D(1) < D(2)
except Exception as e: s = str(e)
try: D(1)[0]
except Exception as e: s = str(e)
try: len(D(1))
except Exception as e: s = str(e)
try: D(1)()
except Exception as e: s = str(e)
try: int(D(1))
except Exception as e: s = str(e)
try: float(D(1))
except Exception as e: s = str(e)
try: abs(D(1))
except Exception as e: s = str(e)
try: -D(1)
except Exception as e: s = str(e)
try: D(1) in D(1)
except Exception as e: s = str(e)
try: 1 in D(1)
except Exception as e: s = str(e)
try: '%d' % D(1)
except Exception as e: s = str(e)
try: f'{D(1):5}'
except Exception as e: s = str(e)
try: sum([D(1)])
except Exception as e: s = str(e)
try: max(D(1), D(2))
except Exception as e: s = str(e)
try: sorted([D(1), D(2)])
except Exception as e: s = str(e)
try: round(D(1))
except Exception as e: s = str(e)
try: range(D(1))
except Exception as e: s = str(e)
try: [1][D(1)]
except Exception as e: s = str(e)
try: 'a' * D(1)
except Exception as e: s = str(e)
try: reversed(D(1))
except Exception as e: s = str(e)
try: D(1) | 1
except Exception as e: s = str(e)
try: D(1) @ 1
except Exception as e: s = str(e)
try: 1 @ 1
except Exception as e: s = str(e)
try: dict(a=1)['b']
except Exception as e: s = str(e)
try: dict(D(1))
except Exception as e: s = str(e)
try: ''.join(D(1))
except Exception as e: s = str(e)
try: str.join(1, 2)
except Exception as e: s = str(e)
try: str.upper(1)
except Exception as e: s = str(e)
try: str.upper()
except Exception as e: s = str(e)
try: list.append()
except Exception as e: s = str(e)
try: list.append(1, 2)
except Exception as e: s = str(e)
try: int.bit_length('a')
except Exception as e: s = str(e)
try: dict.get()
except Exception as e: s = str(e)
try: int.foo()
except Exception as e: s = str(e)
try: object().x
except Exception as e: s = str(e)
try: object(1)
except Exception as e: s = str(e)
try: Exception().foo
except Exception as e: s = str(e)
try: ValueError(a=1)
except Exception as e: s = str(e)
try: KeyError(1)['a']
except Exception as e: s = str(e)
try: (x for x in 5)
except Exception as e: s = str(e)
try: [x for x in 5]
except Exception as e: s = str(e)
try: {x: 1 for x in 5}
except Exception as e: s = str(e)
try: {**5}
except Exception as e: s = str(e)
try: {**{1: 2}, **5}
except Exception as e: s = str(e)
try: [*5]
except Exception as e: s = str(e)
try: (*5,)
except Exception as e: s = str(e)
try: {*5}
except Exception as e: s = str(e)
try: [1, 2, 3].index(4, 1, 2)
except Exception as e: s = str(e)
try: 'abc'.index('c', 0, 1)
except Exception as e: s = str(e)
try: math.foo
except Exception as e: s = str(e)
try: a, b = 1
except Exception as e: s = str(e)
try: a, b = (1, 2, 3)
except Exception as e: s = str(e)
try: a, b = (1,)
except Exception as e: s = str(e)
try: a, *b = 5
except Exception as e: s = str(e)
try: a, b, *c = (1,)
except Exception as e: s = str(e)
try: a, b = 'abc'
except Exception as e: s = str(e)
try: a, b = []
except Exception as e: s = str(e)
try: a, b = {1: 2}
except Exception as e: s = str(e)
try: a, b = (x for x in range(3))
except Exception as e: s = str(e)
try: a, b = None
except Exception as e: s = str(e)
try: [a, b] = range(5)
except Exception as e: s = str(e)
try: (a, b), c = (1, 2)
except Exception as e: s = str(e)
try: (a, b), c = ((1, 2, 3), 2)
except Exception as e: s = str(e)
try:
    for a, b in [1]:
        pass
except Exception as e:
    s = str(e)
try:
    for a, b in [(1, 2, 3)]:
        pass
except Exception as e:
    s = str(e)
try:
    for a in 5:
        pass
except Exception as e:
    s = str(e)
try: x = 5; x[0] = 1
except Exception as e: s = str(e)
try: x = 'abc'; x[0] = 'd'
except Exception as e: s = str(e)
try: x = (1,); x[0] = 1
except Exception as e: s = str(e)
try: x = None; x[0] = 1
except Exception as e: s = str(e)
try: x = []; x[0] = 1
except Exception as e: s = str(e)
try: x = []; x['a'] = 1
except Exception as e: s = str(e)
try: x = []; x[1.5] = 1
except Exception as e: s = str(e)
try: x = {}; x[[]] = 1
except Exception as e: s = str(e)
try: x = [1]; x[0:1] = 5
except Exception as e: s = str(e)
try: x = [1, 2, 3]; x[::2] = [1]
except Exception as e: s = str(e)
try: x = range(3); x[0] = 1
except Exception as e: s = str(e)
try: x = b'a'; x[0] = 1
except Exception as e: s = str(e)
try: x = bytearray(b'a'); x[0] = 300
except Exception as e: s = str(e)
try: x = 5; x.a = 1
except Exception as e: s = str(e)
try: x = []; x.a = 1
except Exception as e: s = str(e)
try: x = None; x.a = 1
except Exception as e: s = str(e)
try: x = 'a'; del x[0]
except Exception as e: s = str(e)
try: x = []; del x[0]
except Exception as e: s = str(e)
try: x = {}; del x['a']
except Exception as e: s = str(e)
try: x = (1,); del x[0]
except Exception as e: s = str(e)
try: x = 5; del x[0]
except Exception as e: s = str(e)
try: x = 5; del x.a
except Exception as e: s = str(e)
try: x = 1; x += 'a'
except Exception as e: s = str(e)
try: x = 'a'; x += 1
except Exception as e: s = str(e)
try: x = []; x += 1
except Exception as e: s = str(e)
try: x = []; x += None
except Exception as e: s = str(e)
try: x = {}; x |= 5
except Exception as e: s = str(e)
try: x = {1}; x |= [1]
except Exception as e: s = str(e)
try: x = {1}; x -= 5
except Exception as e: s = str(e)
try: x = 1; x |= 'a'
except Exception as e: s = str(e)
try: x = None; x += 1
except Exception as e: s = str(e)
try: x = (1,); x += 1
except Exception as e: s = str(e)
try: x = 1; x /= 0
except Exception as e: s = str(e)
try: x = 1; x //= 0
except Exception as e: s = str(e)
try: x = 1; x %= 0
except Exception as e: s = str(e)
try: x = 1.0; x /= 0
except Exception as e: s = str(e)
try: x = 1; x **= 'a'
except Exception as e: s = str(e)
try: x = {1}; x.foo = 1
except Exception as e: s = str(e)
try: raise 5
except Exception as e: s = str(e)
try: raise None
except Exception as e: s = str(e)
try: raise 'a'
except Exception as e: s = str(e)
try: raise ValueError
except Exception as e: s = str(e)
try: raise ValueError('a') from 5
except Exception as e: s = str(e)
try: assert 0
except Exception as e: s = str(e)
try: assert 0, 'x'
except Exception as e: s = str(e)
try: d = {1: 2}; [d.update({k + 5: 1}) for k in d]
except Exception as e: s = str(e)
try: s = {1}; [s.add(k + 1) for k in s]
except Exception as e: s = str(e)
try: d = {1: 2}; [d.pop(k) for k in d]
except Exception as e: s = str(e)
try: l = [3, 1]; l.sort(key=lambda a: a.x)
except Exception as e: s = str(e)
