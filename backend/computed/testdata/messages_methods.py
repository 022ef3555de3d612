# What CPython says to operations that fail, part 4 of 5. Each is on a line of its own.
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
