# What CPython says to operations that fail. Each is on a line of its own.
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
    1 / 0
except Exception as e:
    s = str(e)
try:
    1 // 0
except Exception as e:
    s = str(e)
try:
    1 % 0
except Exception as e:
    s = str(e)
try:
    divmod(1, 0)
except Exception as e:
    s = str(e)
try:
    1.0 / 0
except Exception as e:
    s = str(e)
try:
    1.0 // 0
except Exception as e:
    s = str(e)
try:
    1.0 % 0
except Exception as e:
    s = str(e)
try:
    divmod(1.0, 0)
except Exception as e:
    s = str(e)
try:
    divmod(1.5, 0.0)
except Exception as e:
    s = str(e)
try:
    0 ** (-1)
except Exception as e:
    s = str(e)
try:
    0.0 ** (-1)
except Exception as e:
    s = str(e)
try:
    pow(0, -1)
except Exception as e:
    s = str(e)
try:
    0j / 0
except Exception as e:
    s = str(e)
try:
    True / 0
except Exception as e:
    s = str(e)
try:
    True // 0
except Exception as e:
    s = str(e)
try:
    1 / 0.0
except Exception as e:
    s = str(e)
try:
    1 // 0.0
except Exception as e:
    s = str(e)
try:
    1 % 0.0
except Exception as e:
    s = str(e)
try:
    [][0]
except Exception as e:
    s = str(e)
try:
    ()[0]
except Exception as e:
    s = str(e)
try:
    ''[0]
except Exception as e:
    s = str(e)
try:
    b''[0]
except Exception as e:
    s = str(e)
try:
    range(3)[5]
except Exception as e:
    s = str(e)
try:
    [].pop()
except Exception as e:
    s = str(e)
try:
    [1].pop(5)
except Exception as e:
    s = str(e)
try:
    {}['a']
except Exception as e:
    s = str(e)
try:
    {}[1, 2]
except Exception as e:
    s = str(e)
try:
    set().pop()
except Exception as e:
    s = str(e)
try:
    {}.popitem()
except Exception as e:
    s = str(e)
try:
    [].remove(1)
except Exception as e:
    s = str(e)
try:
    [1].index(2)
except Exception as e:
    s = str(e)
try:
    (1,).index(2)
except Exception as e:
    s = str(e)
try:
    'a'.index('b')
except Exception as e:
    s = str(e)
try:
    'a'.rindex('b')
except Exception as e:
    s = str(e)
try:
    b'a'.index(b'b')
except Exception as e:
    s = str(e)
try:
    range(3).index(7)
except Exception as e:
    s = str(e)
try:
    {1}.remove(2)
except Exception as e:
    s = str(e)
try:
    int('x')
except Exception as e:
    s = str(e)
try:
    int('')
except Exception as e:
    s = str(e)
try:
    int('1.5')
except Exception as e:
    s = str(e)
try:
    int('z', 36 + 1)
except Exception as e:
    s = str(e)
try:
    int('9', 8)
except Exception as e:
    s = str(e)
try:
    int([])
except Exception as e:
    s = str(e)
try:
    int(None)
except Exception as e:
    s = str(e)
try:
    int('1', 2.5)
except Exception as e:
    s = str(e)
try:
    int(base=2)
except Exception as e:
    s = str(e)
try:
    int(3, 2)
except Exception as e:
    s = str(e)
try:
    float('x')
except Exception as e:
    s = str(e)
try:
    float('')
except Exception as e:
    s = str(e)
try:
    float([])
except Exception as e:
    s = str(e)
try:
    float(None)
except Exception as e:
    s = str(e)
try:
    complex('x')
except Exception as e:
    s = str(e)
try:
    complex([])
except Exception as e:
    s = str(e)
try:
    complex(1, '2')
except Exception as e:
    s = str(e)
try:
    complex('1', 2)
except Exception as e:
    s = str(e)
try:
    chr(-1)
except Exception as e:
    s = str(e)
try:
    chr(1114112)
except Exception as e:
    s = str(e)
try:
    chr('a')
except Exception as e:
    s = str(e)
try:
    ord('')
except Exception as e:
    s = str(e)
try:
    ord('ab')
except Exception as e:
    s = str(e)
try:
    ord(1)
except Exception as e:
    s = str(e)
try:
    ord([])
except Exception as e:
    s = str(e)
try:
    len(5)
except Exception as e:
    s = str(e)
try:
    len(None)
except Exception as e:
    s = str(e)
try:
    abs('a')
except Exception as e:
    s = str(e)
try:
    abs(None)
except Exception as e:
    s = str(e)
try:
    -'a'
except Exception as e:
    s = str(e)
try:
    +'a'
except Exception as e:
    s = str(e)
try:
    ~1.5
except Exception as e:
    s = str(e)
try:
    -[]
except Exception as e:
    s = str(e)
try:
    not_defined
except Exception as e:
    s = str(e)
try:
    1 + 'a'
except Exception as e:
    s = str(e)
try:
    'a' + 1
except Exception as e:
    s = str(e)
try:
    [] + 1
except Exception as e:
    s = str(e)
try:
    [] + ()
except Exception as e:
    s = str(e)
try:
    () + []
except Exception as e:
    s = str(e)
try:
    1 - 'a'
except Exception as e:
    s = str(e)
try:
    'a' * 'b'
except Exception as e:
    s = str(e)
try:
    [] * 'a'
except Exception as e:
    s = str(e)
try:
    'a' * 1.5
except Exception as e:
    s = str(e)
try:
    [1] * 1.5
except Exception as e:
    s = str(e)
try:
    None + 1
except Exception as e:
    s = str(e)
try:
    1 + None
except Exception as e:
    s = str(e)
try:
    1 < 'a'
except Exception as e:
    s = str(e)
try:
    'a' < 1
except Exception as e:
    s = str(e)
try:
    [] < ()
except Exception as e:
    s = str(e)
try:
    None < None
except Exception as e:
    s = str(e)
try:
    {} < {}
except Exception as e:
    s = str(e)
try:
    {1: 2} | [1]
except Exception as e:
    s = str(e)
try:
    1 | 'a'
except Exception as e:
    s = str(e)
try:
    1 << -1
except Exception as e:
    s = str(e)
try:
    1 >> -1
except Exception as e:
    s = str(e)
try:
    1.5 << 1
except Exception as e:
    s = str(e)
try:
    1.5 | 1
except Exception as e:
    s = str(e)
try:
    'a' in 5
except Exception as e:
    s = str(e)
try:
    1 in 'abc'
except Exception as e:
    s = str(e)
try:
    1 in 5
except Exception as e:
    s = str(e)
try:
    None in 'a'
except Exception as e:
    s = str(e)
try:
    5 in b'abc'
except Exception as e:
    s = str(e)
try:
    'a' in b'abc'
except Exception as e:
    s = str(e)
try:
    300 in b'abc'
except Exception as e:
    s = str(e)
try:
    [][1.5]
except Exception as e:
    s = str(e)
try:
    []['a']
except Exception as e:
    s = str(e)
try:
    ()['a']
except Exception as e:
    s = str(e)
try:
    'abc'['a']
except Exception as e:
    s = str(e)
try:
    'abc'[1.5]
except Exception as e:
    s = str(e)
try:
    b'abc'['a']
except Exception as e:
    s = str(e)
try:
    range(3)['a']
except Exception as e:
    s = str(e)
try:
    range(3)[1.5]
except Exception as e:
    s = str(e)
try:
    {}[[]]
except Exception as e:
    s = str(e)
try:
    {[]: 1}
except Exception as e:
    s = str(e)
try:
    {{}}
except Exception as e:
    s = str(e)
try:
    {1: 2}[{}]
except Exception as e:
    s = str(e)
try:
    set([[]])
except Exception as e:
    s = str(e)
try:
    {[1]}
except Exception as e:
    s = str(e)
try:
    5[0]
except Exception as e:
    s = str(e)
try:
    None[0]
except Exception as e:
    s = str(e)
try:
    (lambda: 0)[0]
except Exception as e:
    s = str(e)
try:
    5()
except Exception as e:
    s = str(e)
try:
    None()
except Exception as e:
    s = str(e)
try:
    'a'()
except Exception as e:
    s = str(e)
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
try:
    '{}'.format()
except Exception as e:
    s = str(e)
try:
    '{1}'.format(1)
except Exception as e:
    s = str(e)
try:
    '{a}'.format()
except Exception as e:
    s = str(e)
try:
    '{a.b}'.format(a=1)
except Exception as e:
    s = str(e)
try:
    '{a[0]}'.format(a=1)
except Exception as e:
    s = str(e)
try:
    '{'.format(1)
except Exception as e:
    s = str(e)
try:
    '}'.format(1)
except Exception as e:
    s = str(e)
try:
    '{}{0}'.format(1)
except Exception as e:
    s = str(e)
try:
    '{0}{}'.format(1)
except Exception as e:
    s = str(e)
try:
    '{:d}'.format('a')
except Exception as e:
    s = str(e)
try:
    '{:d}'.format(1.5)
except Exception as e:
    s = str(e)
try:
    '{:s}'.format(1)
except Exception as e:
    s = str(e)
try:
    '{:x}'.format(1.5)
except Exception as e:
    s = str(e)
try:
    '{:q}'.format(1)
except Exception as e:
    s = str(e)
try:
    '{:.2d}'.format(1)
except Exception as e:
    s = str(e)
try:
    '{:,s}'.format('a')
except Exception as e:
    s = str(e)
try:
    '{:=5}'.format('a')
except Exception as e:
    s = str(e)
try:
    '{:+}'.format('a')
except Exception as e:
    s = str(e)
try:
    '{: }'.format('a')
except Exception as e:
    s = str(e)
try:
    '{:#}'.format('a')
except Exception as e:
    s = str(e)
try:
    '{:c}'.format(-1)
except Exception as e:
    s = str(e)
try:
    '{:d}'.format([])
except Exception as e:
    s = str(e)
try:
    '{:5}'.format([])
except Exception as e:
    s = str(e)
try:
    '{:5}'.format(None)
except Exception as e:
    s = str(e)
try:
    '{:5}'.format({})
except Exception as e:
    s = str(e)
try:
    '{:foo}'.format(1)
except Exception as e:
    s = str(e)
try:
    '{:foo}'.format('a')
except Exception as e:
    s = str(e)
try:
    '{:,_}'.format(1)
except Exception as e:
    s = str(e)
try:
    '{:_n}'.format(1)
except Exception as e:
    s = str(e)
try:
    '{:.5f}'.format('a')
except Exception as e:
    s = str(e)
try:
    '{!z}'.format(1)
except Exception as e:
    s = str(e)
try:
    f'{1:q}'
except Exception as e:
    s = str(e)
try:
    f"{'a':d}"
except Exception as e:
    s = str(e)
try:
    f'{1.5:d}'
except Exception as e:
    s = str(e)
try:
    f'{1.5:x}'
except Exception as e:
    s = str(e)
try:
    f'{None:5}'
except Exception as e:
    s = str(e)
try:
    f'{[1]:5}'
except Exception as e:
    s = str(e)
try:
    f'{1:.3}'
except Exception as e:
    s = str(e)
try:
    f"{'a':=5}"
except Exception as e:
    s = str(e)
try:
    format(1, 'q')
except Exception as e:
    s = str(e)
try:
    format(1, 2)
except Exception as e:
    s = str(e)
try:
    format([], '5')
except Exception as e:
    s = str(e)
try:
    '%d' % 'a'
except Exception as e:
    s = str(e)
try:
    '%d' % None
except Exception as e:
    s = str(e)
try:
    '%s %s' % 1
except Exception as e:
    s = str(e)
try:
    '%s' % (1, 2)
except Exception as e:
    s = str(e)
try:
    '%s %s' % (1,)
except Exception as e:
    s = str(e)
try:
    '%(a)s' % 1
except Exception as e:
    s = str(e)
try:
    '%(a)s' % {}
except Exception as e:
    s = str(e)
try:
    '%z' % 1
except Exception as e:
    s = str(e)
try:
    '%' % 1
except Exception as e:
    s = str(e)
try:
    '%c' % 'ab'
except Exception as e:
    s = str(e)
try:
    '%c' % 1.5
except Exception as e:
    s = str(e)
try:
    '%c' % -1
except Exception as e:
    s = str(e)
try:
    '%x' % 1.5
except Exception as e:
    s = str(e)
try:
    '%x' % 'a'
except Exception as e:
    s = str(e)
try:
    '%f' % 'a'
except Exception as e:
    s = str(e)
try:
    '%f' % None
except Exception as e:
    s = str(e)
try:
    '%.1e' % []
except Exception as e:
    s = str(e)
try:
    '%*d' % ('a', 1)
except Exception as e:
    s = str(e)
try:
    '%i' % [1]
except Exception as e:
    s = str(e)
try:
    'a' % 1
except Exception as e:
    s = str(e)
try:
    b'%d' % 'a'
except Exception as e:
    s = str(e)
try:
    [].append()
except Exception as e:
    s = str(e)
try:
    [].append(1, 2)
except Exception as e:
    s = str(e)
try:
    [].append(x=1)
except Exception as e:
    s = str(e)
try:
    [].insert(1)
except Exception as e:
    s = str(e)
try:
    [].insert('a', 1)
except Exception as e:
    s = str(e)
try:
    [].extend(5)
except Exception as e:
    s = str(e)
try:
    [].extend()
except Exception as e:
    s = str(e)
try:
    [1].index()
except Exception as e:
    s = str(e)
try:
    [1].count()
except Exception as e:
    s = str(e)
try:
    [1].pop('a')
except Exception as e:
    s = str(e)
try:
    [1].pop(1, 2)
except Exception as e:
    s = str(e)
try:
    [].clear(1)
except Exception as e:
    s = str(e)
try:
    [].copy(1)
except Exception as e:
    s = str(e)
try:
    [].reverse(1)
except Exception as e:
    s = str(e)
try:
    {}.get()
except Exception as e:
    s = str(e)
try:
    {}.get(1, 2, 3)
except Exception as e:
    s = str(e)
try:
    {}.get([])
except Exception as e:
    s = str(e)
try:
    {}.pop('a')
except Exception as e:
    s = str(e)
try:
    {}.pop()
except Exception as e:
    s = str(e)
try:
    {}.pop(1, 2, 3)
except Exception as e:
    s = str(e)
try:
    {}.setdefault()
except Exception as e:
    s = str(e)
try:
    {}.update(5)
except Exception as e:
    s = str(e)
try:
    {}.update([5])
except Exception as e:
    s = str(e)
try:
    {}.update([(1, 2, 3)])
except Exception as e:
    s = str(e)
try:
    {}.update(1, 2)
except Exception as e:
    s = str(e)
try:
    {}.keys(1)
except Exception as e:
    s = str(e)
try:
    {}.items(1)
except Exception as e:
    s = str(e)
try:
    {}.fromkeys(5)
except Exception as e:
    s = str(e)
try:
    {}.fromkeys()
except Exception as e:
    s = str(e)
try:
    {1}.add()
except Exception as e:
    s = str(e)
try:
    {1}.add([])
except Exception as e:
    s = str(e)
try:
    {1}.union(5)
except Exception as e:
    s = str(e)
try:
    {1}.update(5)
except Exception as e:
    s = str(e)
try:
    {1}.intersection(5)
except Exception as e:
    s = str(e)
try:
    {1} | [1]
except Exception as e:
    s = str(e)
try:
    {1} & 5
except Exception as e:
    s = str(e)
try:
    {1} - [1]
except Exception as e:
    s = str(e)
try:
    {1} ^ 'a'
except Exception as e:
    s = str(e)
try:
    {1}.issubset(5)
except Exception as e:
    s = str(e)
try:
    {1}.discard()
except Exception as e:
    s = str(e)
try:
    frozenset([1]).add(1)
except Exception as e:
    s = str(e)
try:
    int.from_bytes('a', 'big')
except Exception as e:
    s = str(e)
try:
    int.from_bytes(b'a', 'x')
except Exception as e:
    s = str(e)
try:
    5 .to_bytes(1, 'x')
except Exception as e:
    s = str(e)
try:
    500 .to_bytes(1, 'big')
except Exception as e:
    s = str(e)
try:
    (-1).to_bytes(1, 'big')
except Exception as e:
    s = str(e)
try:
    5 .bit_length(1)
except Exception as e:
    s = str(e)
try:
    1.5.is_integer(1)
except Exception as e:
    s = str(e)
try:
    bytes(-1)
except Exception as e:
    s = str(e)
try:
    bytes('a')
except Exception as e:
    s = str(e)
try:
    bytes([300])
except Exception as e:
    s = str(e)
try:
    bytes(['a'])
except Exception as e:
    s = str(e)
try:
    bytes(5, 'x')
except Exception as e:
    s = str(e)
try:
    bytearray([300])
except Exception as e:
    s = str(e)
try:
    b'a' + 'b'
except Exception as e:
    s = str(e)
try:
    'a' + b'b'
except Exception as e:
    s = str(e)
try:
    b'a'.join([1])
except Exception as e:
    s = str(e)
try:
    b'a'.join(['a'])
except Exception as e:
    s = str(e)
try:
    b'\xff'.decode()
except Exception as e:
    s = str(e)
try:
    b'\xff'.decode('ascii')
except Exception as e:
    s = str(e)
try:
    b'a'.split('a')
except Exception as e:
    s = str(e)
try:
    b'a'.find('a')
except Exception as e:
    s = str(e)
try:
    b'a'.replace('a', 'b')
except Exception as e:
    s = str(e)
try:
    b'a'.startswith('a')
except Exception as e:
    s = str(e)
try:
    b'ab'.hex(1)
except Exception as e:
    s = str(e)
try:
    bytes.fromhex('zz')
except Exception as e:
    s = str(e)
try:
    bytes.fromhex(1)
except Exception as e:
    s = str(e)
try:
    str(1, 2)
except Exception as e:
    s = str(e)
try:
    str(b'a', 1)
except Exception as e:
    s = str(e)
try:
    str(b'\xff', 'utf-8')
except Exception as e:
    s = str(e)
try:
    repr()
except Exception as e:
    s = str(e)
try:
    repr(1, 2)
except Exception as e:
    s = str(e)
try:
    len()
except Exception as e:
    s = str(e)
try:
    len(1, 2)
except Exception as e:
    s = str(e)
try:
    abs()
except Exception as e:
    s = str(e)
try:
    abs(1, 2)
except Exception as e:
    s = str(e)
try:
    bin(1.5)
except Exception as e:
    s = str(e)
try:
    hex('a')
except Exception as e:
    s = str(e)
try:
    oct(None)
except Exception as e:
    s = str(e)
try:
    bool(1, 2)
except Exception as e:
    s = str(e)
try:
    list(1, 2)
except Exception as e:
    s = str(e)
try:
    tuple(1, 2)
except Exception as e:
    s = str(e)
try:
    set(1, 2)
except Exception as e:
    s = str(e)
try:
    dict(1, 2)
except Exception as e:
    s = str(e)
try:
    int(1, 2, 3)
except Exception as e:
    s = str(e)
try:
    float(1, 2)
except Exception as e:
    s = str(e)
try:
    str(1, 2, 3, 4)
except Exception as e:
    s = str(e)
try:
    any(5)
except Exception as e:
    s = str(e)
try:
    all(5)
except Exception as e:
    s = str(e)
try:
    any()
except Exception as e:
    s = str(e)
try:
    all()
except Exception as e:
    s = str(e)
try:
    chr()
except Exception as e:
    s = str(e)
try:
    ord()
except Exception as e:
    s = str(e)
try:
    next()
except Exception as e:
    s = str(e)
try:
    sum()
except Exception as e:
    s = str(e)
try:
    sum([1], 'a')
except Exception as e:
    s = str(e)
try:
    slice()
except Exception as e:
    s = str(e)
try:
    type()
except Exception as e:
    s = str(e)
try:
    getattr(1)
except Exception as e:
    s = str(e)
try:
    getattr(1, 'foo')
except Exception as e:
    s = str(e)
try:
    getattr(1, 5)
except Exception as e:
    s = str(e)
try:
    setattr(1, 'a', 2)
except Exception as e:
    s = str(e)
try:
    hasattr(1)
except Exception as e:
    s = str(e)
try:
    hasattr(1, 2)
except Exception as e:
    s = str(e)
try:
    delattr(1, 'a')
except Exception as e:
    s = str(e)
try:
    math.sqrt(-1)
except Exception as e:
    s = str(e)
try:
    math.sqrt('a')
except Exception as e:
    s = str(e)
try:
    math.sqrt()
except Exception as e:
    s = str(e)
try:
    math.sqrt(1, 2)
except Exception as e:
    s = str(e)
try:
    math.log(0)
except Exception as e:
    s = str(e)
try:
    math.log(-1)
except Exception as e:
    s = str(e)
try:
    math.log(0.0)
except Exception as e:
    s = str(e)
try:
    math.log10(0)
except Exception as e:
    s = str(e)
try:
    math.log2(0)
except Exception as e:
    s = str(e)
try:
    math.log(1, 0)
except Exception as e:
    s = str(e)
try:
    math.log(1, 1)
except Exception as e:
    s = str(e)
try:
    math.factorial(-1)
except Exception as e:
    s = str(e)
try:
    math.factorial(1.5)
except Exception as e:
    s = str(e)
try:
    math.factorial('a')
except Exception as e:
    s = str(e)
try:
    math.gcd(1.5)
except Exception as e:
    s = str(e)
try:
    math.gcd('a')
except Exception as e:
    s = str(e)
try:
    math.isqrt(-1)
except Exception as e:
    s = str(e)
try:
    math.isqrt(1.5)
except Exception as e:
    s = str(e)
try:
    math.comb(-1, 2)
except Exception as e:
    s = str(e)
try:
    math.comb(2, -1)
except Exception as e:
    s = str(e)
try:
    math.perm(-1)
except Exception as e:
    s = str(e)
try:
    math.floor('a')
except Exception as e:
    s = str(e)
try:
    math.ceil('a')
except Exception as e:
    s = str(e)
try:
    math.floor(float('inf'))
except Exception as e:
    s = str(e)
try:
    math.pow(0, -1)
except Exception as e:
    s = str(e)
try:
    math.pow('a', 1)
except Exception as e:
    s = str(e)
try:
    math.exp(1000)
except Exception as e:
    s = str(e)
try:
    math.fmod(1, 0)
except Exception as e:
    s = str(e)
try:
    math.acos(2)
except Exception as e:
    s = str(e)
try:
    math.asin(2)
except Exception as e:
    s = str(e)
try:
    math.atanh(1)
except Exception as e:
    s = str(e)
try:
    math.hypot('a')
except Exception as e:
    s = str(e)
try:
    math.prod(5)
except Exception as e:
    s = str(e)
try:
    math.sin('a')
except Exception as e:
    s = str(e)
try:
    math.sin(float('inf'))
except Exception as e:
    s = str(e)
try:
    math.fsum(5)
except Exception as e:
    s = str(e)
try:
    math.lcm(1.5)
except Exception as e:
    s = str(e)
try:
    math.dist([1], [1, 2])
except Exception as e:
    s = str(e)
try:
    float(10 ** 400)
except Exception as e:
    s = str(e)
try:
    10 ** 400 / 3
except Exception as e:
    s = str(e)
try:
    10 ** 400 * 1.0
except Exception as e:
    s = str(e)
try:
    1.5.foo
except Exception as e:
    s = str(e)
try:
    1 .real()
except Exception as e:
    s = str(e)
try:
    [1, 2, 3][::0]
except Exception as e:
    s = str(e)
try:
    'abc'[::0]
except Exception as e:
    s = str(e)
try:
    [1]['a':]
except Exception as e:
    s = str(e)
try:
    [1][1.5:]
except Exception as e:
    s = str(e)
try:
    slice(1)('a')
except Exception as e:
    s = str(e)
try:
    f(1)
except Exception as e:
    s = str(e)
try:
    f()
except Exception as e:
    s = str(e)
try:
    f(1, 2, 3)
except Exception as e:
    s = str(e)
try:
    f(1, b=2, c=3)
except Exception as e:
    s = str(e)
try:
    f(1, 2, a=1)
except Exception as e:
    s = str(e)
try:
    f(b=2)
except Exception as e:
    s = str(e)
try:
    f(*5)
except Exception as e:
    s = str(e)
try:
    f(**5)
except Exception as e:
    s = str(e)
try:
    f(*[1], **{'a': 1})
except Exception as e:
    s = str(e)
try:
    f(**{1: 2})
except Exception as e:
    s = str(e)
try:
    g(1)
except Exception as e:
    s = str(e)
try:
    g(1, 2)
except Exception as e:
    s = str(e)
try:
    g(a=1)
except Exception as e:
    s = str(e)
try:
    g(b=1, zz=2)
except Exception as e:
    s = str(e)
try:
    h(a=1)
except Exception as e:
    s = str(e)
try:
    h(1, 2)
except Exception as e:
    s = str(e)
try:
    h()
except Exception as e:
    s = str(e)
try:
    k()
except Exception as e:
    s = str(e)
try:
    k(1)
except Exception as e:
    s = str(e)
try:
    k(1, 2, 3, 4)
except Exception as e:
    s = str(e)
try:
    k(x=1)
except Exception as e:
    s = str(e)
try:
    C(1)
except Exception as e:
    s = str(e)
try:
    C(a=1)
except Exception as e:
    s = str(e)
try:
    C().foo
except Exception as e:
    s = str(e)
try:
    C.foo
except Exception as e:
    s = str(e)
try:
    D()
except Exception as e:
    s = str(e)
try:
    D(1, 2)
except Exception as e:
    s = str(e)
try:
    D(1).m(5)
except Exception as e:
    s = str(e)
try:
    D(1).x.y
except Exception as e:
    s = str(e)
try:
    D.m()
except Exception as e:
    s = str(e)
try:
    D(1) + 1
except Exception as e:
    s = str(e)
try:
    D(1) < D(2)
except Exception as e:
    s = str(e)
try:
    D(1)[0]
except Exception as e:
    s = str(e)
try:
    len(D(1))
except Exception as e:
    s = str(e)
try:
    D(1)()
except Exception as e:
    s = str(e)
try:
    int(D(1))
except Exception as e:
    s = str(e)
try:
    float(D(1))
except Exception as e:
    s = str(e)
try:
    abs(D(1))
except Exception as e:
    s = str(e)
try:
    -D(1)
except Exception as e:
    s = str(e)
try:
    D(1) in D(1)
except Exception as e:
    s = str(e)
try:
    1 in D(1)
except Exception as e:
    s = str(e)
try:
    '%d' % D(1)
except Exception as e:
    s = str(e)
try:
    f'{D(1):5}'
except Exception as e:
    s = str(e)
try:
    sum([D(1)])
except Exception as e:
    s = str(e)
try:
    max(D(1), D(2))
except Exception as e:
    s = str(e)
try:
    sorted([D(1), D(2)])
except Exception as e:
    s = str(e)
try:
    round(D(1))
except Exception as e:
    s = str(e)
try:
    range(D(1))
except Exception as e:
    s = str(e)
try:
    [1][D(1)]
except Exception as e:
    s = str(e)
try:
    'a' * D(1)
except Exception as e:
    s = str(e)
try:
    reversed(D(1))
except Exception as e:
    s = str(e)
try:
    D(1) | 1
except Exception as e:
    s = str(e)
try:
    D(1) @ 1
except Exception as e:
    s = str(e)
try:
    1 @ 1
except Exception as e:
    s = str(e)
try:
    dict(a=1)['b']
except Exception as e:
    s = str(e)
try:
    dict(D(1))
except Exception as e:
    s = str(e)
try:
    ''.join(D(1))
except Exception as e:
    s = str(e)
try:
    str.join(1, 2)
except Exception as e:
    s = str(e)
try:
    str.upper(1)
except Exception as e:
    s = str(e)
try:
    str.upper()
except Exception as e:
    s = str(e)
try:
    list.append()
except Exception as e:
    s = str(e)
try:
    list.append(1, 2)
except Exception as e:
    s = str(e)
try:
    int.bit_length('a')
except Exception as e:
    s = str(e)
try:
    dict.get()
except Exception as e:
    s = str(e)
try:
    int.foo()
except Exception as e:
    s = str(e)
try:
    object().x
except Exception as e:
    s = str(e)
try:
    object(1)
except Exception as e:
    s = str(e)
try:
    Exception().foo
except Exception as e:
    s = str(e)
try:
    ValueError(a=1)
except Exception as e:
    s = str(e)
try:
    KeyError(1)['a']
except Exception as e:
    s = str(e)
try:
    (x for x in 5)
except Exception as e:
    s = str(e)
try:
    [x for x in 5]
except Exception as e:
    s = str(e)
try:
    {x: 1 for x in 5}
except Exception as e:
    s = str(e)
try:
    {**5}
except Exception as e:
    s = str(e)
try:
    {**{1: 2}, **5}
except Exception as e:
    s = str(e)
try:
    [*5]
except Exception as e:
    s = str(e)
try:
    (*5,)
except Exception as e:
    s = str(e)
try:
    {*5}
except Exception as e:
    s = str(e)
try:
    [1, 2, 3].index(4, 1, 2)
except Exception as e:
    s = str(e)
try:
    'abc'.index('c', 0, 1)
except Exception as e:
    s = str(e)
try:
    math.foo
except Exception as e:
    s = str(e)
try:
    a, b = 1
except Exception as e:
    s = str(e)
try:
    a, b = (1, 2, 3)
except Exception as e:
    s = str(e)
try:
    a, b = (1,)
except Exception as e:
    s = str(e)
try:
    a, *b = 5
except Exception as e:
    s = str(e)
try:
    a, b, *c = (1,)
except Exception as e:
    s = str(e)
try:
    a, b = 'abc'
except Exception as e:
    s = str(e)
try:
    a, b = []
except Exception as e:
    s = str(e)
try:
    a, b = {1: 2}
except Exception as e:
    s = str(e)
try:
    a, b = (x for x in range(3))
except Exception as e:
    s = str(e)
try:
    a, b = None
except Exception as e:
    s = str(e)
try:
    [a, b] = range(5)
except Exception as e:
    s = str(e)
try:
    (a, b), c = (1, 2)
except Exception as e:
    s = str(e)
try:
    (a, b), c = ((1, 2, 3), 2)
except Exception as e:
    s = str(e)
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
try:
    x = 5
    x[0] = 1
except Exception as e:
    s = str(e)
try:
    x = 'abc'
    x[0] = 'd'
except Exception as e:
    s = str(e)
try:
    x = (1,)
    x[0] = 1
except Exception as e:
    s = str(e)
try:
    x = None
    x[0] = 1
except Exception as e:
    s = str(e)
try:
    x = []
    x[0] = 1
except Exception as e:
    s = str(e)
try:
    x = []
    x['a'] = 1
except Exception as e:
    s = str(e)
try:
    x = []
    x[1.5] = 1
except Exception as e:
    s = str(e)
try:
    x = {}
    x[[]] = 1
except Exception as e:
    s = str(e)
try:
    x = [1]
    x[0:1] = 5
except Exception as e:
    s = str(e)
try:
    x = [1, 2, 3]
    x[::2] = [1]
except Exception as e:
    s = str(e)
try:
    x = range(3)
    x[0] = 1
except Exception as e:
    s = str(e)
try:
    x = b'a'
    x[0] = 1
except Exception as e:
    s = str(e)
try:
    x = bytearray(b'a')
    x[0] = 300
except Exception as e:
    s = str(e)
try:
    x = 5
    x.a = 1
except Exception as e:
    s = str(e)
try:
    x = []
    x.a = 1
except Exception as e:
    s = str(e)
try:
    x = None
    x.a = 1
except Exception as e:
    s = str(e)
try:
    x = 'a'
    del x[0]
except Exception as e:
    s = str(e)
try:
    x = []
    del x[0]
except Exception as e:
    s = str(e)
try:
    x = {}
    del x['a']
except Exception as e:
    s = str(e)
try:
    x = (1,)
    del x[0]
except Exception as e:
    s = str(e)
try:
    x = 5
    del x[0]
except Exception as e:
    s = str(e)
try:
    x = 5
    del x.a
except Exception as e:
    s = str(e)
try:
    x = 1
    x += 'a'
except Exception as e:
    s = str(e)
try:
    x = 'a'
    x += 1
except Exception as e:
    s = str(e)
try:
    x = []
    x += 1
except Exception as e:
    s = str(e)
try:
    x = []
    x += None
except Exception as e:
    s = str(e)
try:
    x = {}
    x |= 5
except Exception as e:
    s = str(e)
try:
    x = {1}
    x |= [1]
except Exception as e:
    s = str(e)
try:
    x = {1}
    x -= 5
except Exception as e:
    s = str(e)
try:
    x = 1
    x |= 'a'
except Exception as e:
    s = str(e)
try:
    x = None
    x += 1
except Exception as e:
    s = str(e)
try:
    x = (1,)
    x += 1
except Exception as e:
    s = str(e)
try:
    x = 1
    x /= 0
except Exception as e:
    s = str(e)
try:
    x = 1
    x //= 0
except Exception as e:
    s = str(e)
try:
    x = 1
    x %= 0
except Exception as e:
    s = str(e)
try:
    x = 1.0
    x /= 0
except Exception as e:
    s = str(e)
try:
    x = 1
    x **= 'a'
except Exception as e:
    s = str(e)
try:
    x = {1}
    x.foo = 1
except Exception as e:
    s = str(e)
try:
    raise 5
except Exception as e:
    s = str(e)
try:
    raise None
except Exception as e:
    s = str(e)
try:
    raise 'a'
except Exception as e:
    s = str(e)
try:
    raise ValueError
except Exception as e:
    s = str(e)
try:
    raise ValueError('a') from 5
except Exception as e:
    s = str(e)
try:
    assert 0
except Exception as e:
    s = str(e)
try:
    assert 0, 'x'
except Exception as e:
    s = str(e)
try:
    d = {1: 2}
    [d.update({k + 5: 1}) for k in d]
except Exception as e:
    s = str(e)
try:
    s = {1}
    [s.add(k + 1) for k in s]
except Exception as e:
    s = str(e)
try:
    d = {1: 2}
    [d.pop(k) for k in d]
except Exception as e:
    s = str(e)
try:
    l = [3, 1]
    l.sort(key=lambda a: a.x)
except Exception as e:
    s = str(e)
