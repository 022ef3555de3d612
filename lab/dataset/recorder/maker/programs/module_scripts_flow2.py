"""Scripts people write and debug: generators, decorators, closures, with, match, simulations."""

SCRIPTS = ["""
from dataclasses import dataclass«¦, field»
%imports
@dataclass
class Num:
    value: int

@dataclass
class Bin:
    op: str
    left: object
    right: object

%alt
def evaluate(node):
    match node:
        case Num(value):
            return value
        case Bin('+', a, b):
            return evaluate(a) + evaluate(b)
        case Bin('*', a, b):
            return evaluate(a) * evaluate(b)
        case Bin(op=op):
            raise ValueError(f'bad op {op}')
%or
def evaluate(node):
    if isinstance(node, Num):
        return node.value
    left, right = evaluate(node.left), evaluate(node.right)
    return {'+': left + right, '*': left * right}[node.op]
%or
def evaluate(node):
    match node:
        case Num(0):
            return '0'
        case Num(value=n) if n < 0:
            return f'({n})'
        case Num(n):
            return str(n)
        case Bin(op, a, b):
            return evaluate(a) + op + evaluate(b)
%end
%use
tree = Bin('«+¦*»', Num(«#0-9»), «Num(«#1-9»)¦Bin('*', Num(«#1-5»), Num(-«#1-5»))»)
try:
    print(evaluate(tree))
    tree.op = '«+¦*¦-»'
    print(evaluate(tree))
except (ValueError, KeyError) as e:
    print('error', e)
""", """
from enum import Enum
%imports
%let C = Light¦Signal¦Phase
class «C»(Enum):
    RED = «1¦0»
    GREEN = 2
    YELLOW = 3

    def after(self):
%alt
        match self:
            case «C».RED:
                return «C».GREEN
            case «C».GREEN:
                return «C».YELLOW
            case _:
                return «C».RED
%or
        order = list(«C»)
        return order[(order.index(self) + 1) % len(order)]
%end

def run(light, steps):
    seen = []
    for _ in range(steps):
        light = light.after()
        seen.append(light.name«¦[0]¦.lower()»)
    return seen
%use
path = run(«C».«RED¦GREEN¦YELLOW», «#1-4»)
print(path)
same = «C»(2) is «C»['«GREEN¦RED»']
""", """
%let C = Machine¦Vending¦Kiosk¦Dispenser
class «C»:
    prices = {'«tea¦cola»': «#2-9», 'nuts': «#1-6»}

    def __init__(self):
        self.credit = 0
        self.sold = []

    def insert(self, coin):
        if coin not in (1, 2, 5, 10):
            «raise ValueError(f'bad coin {coin}')¦return False»
        self.credit += coin
        return self.credit

    def choose(self, name):
        price = self.prices.get(name)
        if price is None:
            return 'unknown'
        if self.credit < price:
            return f'need {price - self.credit} more'
        self.credit -= price
        self.sold.append(name)
        return 'ok'
%use
m = «C»()
for coin in («1¦2¦5», «5¦2¦10¦3»«¦, 1»):
    try:
        m.insert(coin)
    except ValueError as e:
        print(e)
for name in ('nuts', «'tea'¦'cola'¦'nuts'¦w»):
    print(m.choose(name), m.credit)
""", """
%let F = schedule¦plan¦order¦toposort
tasks = «{'build': ['fetch'], 'test': ['build'], 'fetch': [], 'ship': ['test']}¦{'a': ['b', 'c'], 'b': ['c'], 'c': []}¦{'cook': ['shop'], 'shop': [], 'eat': ['cook']}¦{'x': ['y'], 'y': ['x'], 'z': []}»

%alt
def «F»(tasks):
    done = []
    waiting = dict(tasks)
    while waiting:
        ready = [n for n, needs in waiting.items() if all(x in done for x in needs)]
        if not ready:
            raise ValueError(f'cycle: {sorted(waiting)}')
        for n in ready:
            done.append(n)
            del waiting[n]
    return done
%or
def «F»(tasks):
    order, active = [], []
    def visit(n):
        if n in order:
            return
        if n in active:
            raise ValueError('cycle at ' + n)
        active.append(n)
        for need in tasks[n]:
            visit(need)
        active.remove(n)
        order.append(n)
    for n in tasks:
        visit(n)
    return order
%end
%use
try:
    order = «F»(tasks)
    print(order[«0¦-1»], len(order))
except ValueError as e:
    order = None
    print(e)
""", """
%let C = Poly¦Polynomial
class «C»:
    def __init__(self, *coeffs):
        self.coeffs = list(coeffs)
%opt
        while len(self.coeffs) > 1 and self.coeffs[-1] == 0:
            self.coeffs.pop()
%end

%any
    def __call__(self, x):
%alt
        return sum(c * x ** i for i, c in enumerate(self.coeffs))
%or
        result = 0
        for c in reversed(self.coeffs):
            result = result * x + c
        return result
%end

%and
    def __add__(self, other):
        size = max(len(self.coeffs), len(other.coeffs))
        a = self.coeffs + [0] * (size - len(self.coeffs))
        b = other.coeffs + [0] * (size - len(other.coeffs))
        return «C»(*[x + y for x, y in zip(a, b)])

%and
    def derive(self):
        return «C»(*[i * c for i, c in enumerate(self.coeffs)][1:])

%and
    def degree(self):
        return len(self.coeffs) - 1

%end
%use
p = «C»(«#-3-5», «#0-4», «#1-3»)
y = p(«#-2-4»)
%some 0.6
q = p + «C»(«#1-5», «#-2-2»)
print(q.coeffs)
%and
d = p.derive()
z = d(«#0-3»)
%and
n = p.degree()
%end
print(y)
""", """
%let F = transpose¦rotate¦spiral¦multiply¦diagonals
%if F=transpose
def «F»(m):
    return [[row[i] for row in m] for i in range(len(m[0]))]
%end
%if F=rotate
def «F»(m):
    return [list(row)«[::-1]¦» for row in zip(*m«¦[::-1]»)]
%end
%if F=spiral
def «F»(m):
    out = []
    while m:
        out += m[0]
        m = [list(r) for r in zip(*m[1:])][::-1]
    return out
%end
%if F=multiply
def «F»(m):
    size = len(m)
    result = [[0] * size for _ in range(size)]
    for i in range(size):
        for j in range(size):
            for k in range(size):
                result[i][j] += m[i][k] * m[k][j]
    return result
%end
%if F=diagonals
def «F»(m):
    size = min(len(m), len(m[0]))
    first = [m[i][i] for i in range(size)]
    second = [m[i][-1 - i] for i in range(size)]
    return sum(first), second
%end

def show(m):
    for row in m:
        print(' '.join(str(v) for v in row) if isinstance(row, list) else row)
%use
m = [[«#0-9», «#-3-9»], [«#0-9», «#0-9»]]
result = «F»(m)
show(m)
print(result)
""", """
%let F = parse¦read_config¦load
class ParseError(«Exception¦ValueError»):
    def __init__(self, line, reason):
        super().__init__(f'{reason} at line {line}')
        self.line = line

def convert(text):
    text = text.strip()
    if text.lower() in ('true', 'false'):
        return text.lower() == 'true'
    try:
        return int(text)
    except ValueError:
        return text

def «F»(text):
    config = {}
    for n, line in enumerate(text.split(';'), 1):
        if not line.strip() or line.startswith('#'):
            continue
        key, sep, value = line.partition('=')
        if not sep:
            raise ParseError(n, «'no ='¦f'bad {line!r}'»)
        config[key.strip()] = convert(value)
    return config
%use
try:
    config = «F»('«W»=«#0-99»;«b = true¦#x;k=v¦flag=FALSE¦broken»«¦;z=1»')
except ParseError as e:
    config = {'line': e.line}
    print(e)
print(len(config), config)
""", """
%let C = Pipeline¦Chain¦Flow
class «C»:
    def __init__(self, *stages):
        self.stages = list(stages)

    def __or__(self, stage):
        return «C»(*self.stages, stage)

    def __call__(self, value):
        for stage in self.stages:
            value = stage(value)
%opt
            if value is None:
                break
%end
        return value

def double(x):
    return x * 2

def «N=shorten¦drop¦guard»(x):
    return None if x > «#5-30» else x
%use
p = «C»(«double¦abs¦lambda x: x + «#1-9»») | (lambda x: x «-¦+¦*» «#1-7») | «N»
for x in «pos:3»:
    print(x, p(x))
q = p | str
n = len(q.stages)
""", """
%let C = Singleton¦Config¦Settings
class «C»:
    _instance = None

    def __new__(cls, *args):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __init__(self, level=«#0-5»):
        self.level = level
%opt

    def __getattr__(self, name):
        return «f'no {name}'¦None¦name.upper()»
%let GA = y
%end
%use
a = «C»(«#1-9»)
b = «C»(«¦«#10-20»»)
print(a is b, a.level)
b.level += «#1-5»
%if GA=y
missing = a.«color¦size¦depth»
%end
print(a.level == b.level)
"""]
