# What CPython says to operations that fail, part 2 of 5. Each is on a line of its own.
import math


def f(a, b=1):
    return a


def g(a, *, b):
    return a


def h(a, /):
    return a


def k(a, b, c):
    return a


class C:
    pass


class D:
    def __init__(self, v):
        self.v = v

    def m(self):
        return self.x

    def __repr__(self):
        return "D()"


try:
    []()
except Exception as e:
    s = str(e)
try:
    next(5)
except Exception as e:
    s = str(e)
try:
    next([])
except Exception as e:
    s = str(e)
try:
    list(5)
except Exception as e:
    s = str(e)
try:
    tuple(5)
except Exception as e:
    s = str(e)
try:
    set(5)
except Exception as e:
    s = str(e)
try:
    frozenset(5)
except Exception as e:
    s = str(e)
try:
    dict(5)
except Exception as e:
    s = str(e)
try:
    dict([1])
except Exception as e:
    s = str(e)
try:
    dict([(1, 2, 3)])
except Exception as e:
    s = str(e)
try:
    dict([(1,)])
except Exception as e:
    s = str(e)
try:
    dict(['a'])
except Exception as e:
    s = str(e)
try:
    dict(['ab', 5])
except Exception as e:
    s = str(e)
try:
    sum(5)
except Exception as e:
    s = str(e)
try:
    sum('abc')
except Exception as e:
    s = str(e)
try:
    sum(['a'])
except Exception as e:
    s = str(e)
try:
    sum(['a'], '')
except Exception as e:
    s = str(e)
try:
    sum([b'a'], b'')
except Exception as e:
    s = str(e)
try:
    sum([[1]])
except Exception as e:
    s = str(e)
try:
    max([])
except Exception as e:
    s = str(e)
try:
    min([])
except Exception as e:
    s = str(e)
try:
    max(5)
except Exception as e:
    s = str(e)
try:
    max()
except Exception as e:
    s = str(e)
try:
    min()
except Exception as e:
    s = str(e)
try:
    max(1, 2, default=3)
except Exception as e:
    s = str(e)
try:
    max(1, 'a')
except Exception as e:
    s = str(e)
try:
    max([1, 'a'])
except Exception as e:
    s = str(e)
try:
    min([1], key=5)
except Exception as e:
    s = str(e)
try:
    sorted(5)
except Exception as e:
    s = str(e)
try:
    sorted([1, 'a'])
except Exception as e:
    s = str(e)
try:
    sorted([1], key=5)
except Exception as e:
    s = str(e)
try:
    sorted([1], foo=1)
except Exception as e:
    s = str(e)
try:
    sorted()
except Exception as e:
    s = str(e)
try:
    sorted([1], 2)
except Exception as e:
    s = str(e)
try:
    [1, 'a'].sort()
except Exception as e:
    s = str(e)
try:
    [1].sort(5)
except Exception as e:
    s = str(e)
try:
    reversed(5)
except Exception as e:
    s = str(e)
try:
    reversed({1})
except Exception as e:
    s = str(e)
try:
    enumerate(5)
except Exception as e:
    s = str(e)
try:
    enumerate()
except Exception as e:
    s = str(e)
try:
    enumerate([1], 'a')
except Exception as e:
    s = str(e)
try:
    zip(5)
except Exception as e:
    s = str(e)
try:
    zip([1], 5)
except Exception as e:
    s = str(e)
try:
    list(zip([1], [1, 2], strict=True))
except Exception as e:
    s = str(e)
try:
    list(zip([1, 2], [1], strict=True))
except Exception as e:
    s = str(e)
try:
    list(zip([1], [2], [1, 2], strict=True))
except Exception as e:
    s = str(e)
try:
    zip([1], foo=1)
except Exception as e:
    s = str(e)
try:
    map(5)
except Exception as e:
    s = str(e)
try:
    map()
except Exception as e:
    s = str(e)
try:
    list(map(5, [1]))
except Exception as e:
    s = str(e)
try:
    list(map(len, 5))
except Exception as e:
    s = str(e)
try:
    filter(None)
except Exception as e:
    s = str(e)
try:
    filter()
except Exception as e:
    s = str(e)
try:
    list(filter(None, 5))
except Exception as e:
    s = str(e)
try:
    filter(None, [], 1)
except Exception as e:
    s = str(e)
try:
    range()
except Exception as e:
    s = str(e)
try:
    range('a')
except Exception as e:
    s = str(e)
try:
    range(1.5)
except Exception as e:
    s = str(e)
try:
    range(1, 2, 0)
except Exception as e:
    s = str(e)
try:
    range(1, 2, 3, 4)
except Exception as e:
    s = str(e)
try:
    range(None)
except Exception as e:
    s = str(e)
try:
    round('a')
except Exception as e:
    s = str(e)
try:
    round(1.5, 'a')
except Exception as e:
    s = str(e)
try:
    round(None)
except Exception as e:
    s = str(e)
try:
    round(1.5, 1.5)
except Exception as e:
    s = str(e)
try:
    round()
except Exception as e:
    s = str(e)
try:
    round(float('nan'))
except Exception as e:
    s = str(e)
try:
    round(float('inf'))
except Exception as e:
    s = str(e)
try:
    int(float('nan'))
except Exception as e:
    s = str(e)
try:
    int(float('inf'))
except Exception as e:
    s = str(e)
try:
    pow(2, 3, 0)
except Exception as e:
    s = str(e)
try:
    pow(2, -1, 4)
except Exception as e:
    s = str(e)
try:
    pow('a', 2)
except Exception as e:
    s = str(e)
try:
    pow(2, 'a')
except Exception as e:
    s = str(e)
try:
    pow(2.0, 2, 3)
except Exception as e:
    s = str(e)
try:
    divmod('a', 2)
except Exception as e:
    s = str(e)
try:
    isinstance(1, 5)
except Exception as e:
    s = str(e)
try:
    isinstance(1)
except Exception as e:
    s = str(e)
try:
    issubclass(1, int)
except Exception as e:
    s = str(e)
try:
    issubclass(int, 5)
except Exception as e:
    s = str(e)
try:
    'a'.foo
except Exception as e:
    s = str(e)
try:
    5 .foo
except Exception as e:
    s = str(e)
try:
    [].foo
except Exception as e:
    s = str(e)
try:
    None.foo
except Exception as e:
    s = str(e)
try:
    {}.foo
except Exception as e:
    s = str(e)
try:
    int.foo
except Exception as e:
    s = str(e)
try:
    str.foo
except Exception as e:
    s = str(e)
try:
    'a'.join(5)
except Exception as e:
    s = str(e)
try:
    'a'.join([1])
except Exception as e:
    s = str(e)
try:
    'a'.join(['b', 1])
except Exception as e:
    s = str(e)
try:
    'a'.join()
except Exception as e:
    s = str(e)
try:
    'a'.join('b', 'c')
except Exception as e:
    s = str(e)
try:
    'a'.split(1)
except Exception as e:
    s = str(e)
try:
    'a'.split('')
except Exception as e:
    s = str(e)
try:
    'a'.split(None, 'x')
except Exception as e:
    s = str(e)
try:
    'a'.replace('a')
except Exception as e:
    s = str(e)
try:
    'a'.replace(1, 2)
except Exception as e:
    s = str(e)
try:
    'a'.replace()
except Exception as e:
    s = str(e)
try:
    'a'.find()
except Exception as e:
    s = str(e)
try:
    'a'.find(1)
except Exception as e:
    s = str(e)
try:
    'a'.count(1)
except Exception as e:
    s = str(e)
try:
    'a'.count()
except Exception as e:
    s = str(e)
try:
    'a'.startswith(1)
except Exception as e:
    s = str(e)
try:
    'a'.startswith([1])
except Exception as e:
    s = str(e)
try:
    'a'.startswith((1,))
except Exception as e:
    s = str(e)
try:
    'a'.endswith(1)
except Exception as e:
    s = str(e)
try:
    'a'.center('a')
except Exception as e:
    s = str(e)
try:
    'a'.center(5, 'ab')
except Exception as e:
    s = str(e)
try:
    'a'.center(5, 1)
except Exception as e:
    s = str(e)
try:
    'a'.ljust()
except Exception as e:
    s = str(e)
try:
    'a'.zfill('a')
except Exception as e:
    s = str(e)
try:
    'a'.upper(1)
except Exception as e:
    s = str(e)
try:
    'a'.upper(x=1)
except Exception as e:
    s = str(e)
try:
    'a'.strip(1)
except Exception as e:
    s = str(e)
try:
    'a'.strip(1, 2)
except Exception as e:
    s = str(e)
try:
    'a'.partition('')
except Exception as e:
    s = str(e)
try:
    'a'.partition(1)
except Exception as e:
    s = str(e)
try:
    'é'.encode('ascii')
except Exception as e:
    s = str(e)
try:
    'a'.translate(5)
except Exception as e:
    s = str(e)
try:
    'a'.expandtabs('a')
except Exception as e:
    s = str(e)
try:
    'a'.format(1).foo
except Exception as e:
    s = str(e)
