# What CPython says to operations that fail, part 3 of 5. Each is on a line of its own.
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
