"""Scripts people write and debug: generators, decorators, closures, with, match, simulations."""

SCRIPTS = ["""
%let N = countdown¦ticks¦numbers¦steps
def «N»(start, step=«#1-3»):
%opt 0.3
    try:
        while start > 0:
            yield start
            start -= step
    finally:
        print(«'closed'¦'bye'¦'end at', start»)
%let F = y
%end
%if F=y
%else
    while start > 0:
        yield start
        start -= step
%end
%alt

def pairs(numbers):
    last = None
    for number in numbers:
        if last is not None:
            yield last, number
        last = number

%or

def pairs(numbers, size=2):
    chunk = []
    for number in numbers:
        chunk.append(number)
        if len(chunk) == size:
            yield «chunk¦tuple(chunk)¦sum(chunk)»
            chunk = []
    if chunk:
        yield chunk

%or

def pairs(numbers):
    total = 0
    for number in numbers:
        total += number
        yield total

%end
%use
%alt
for pair in pairs(«N»(«#2-6»)):
    print(pair)
%or
source = «N»(«#3-7»)
first = next(source)
rest = list(pairs(source))
%or
g = «N»(«#2-7», «#1-3»)
a = next(g)
b = next(g, «None¦-1¦0»)
g.close()
left = list(g)
%or
found = next((p for p in pairs(«N»(«#3-6»)) if p «!= 0¦== 3¦not in (1, 2)»), None)
%end
""", """
%let N = average¦averager¦running_mean¦keep_max
def «N»():
    total = count = 0
    value = «None¦0»
    while True:
        number = yield value
%opt
        if number is None:
            return «count¦total, count»
%let R = y
%end
        total += number
        count += 1
        value = «total / count¦total // count¦max(value or number, number)¦total»

%use
co = «N»()
next(co)
for number in («#1-20», «#1-20»«¦, «#1-20»»):
    print(co.send(number))
%if R=y
try:
    co.send(None)
except StopIteration as stop:
    result = stop.value
%else
co.close()
%end
""", """
import functools
%imports
%let D = trace¦log_calls¦debug¦watched
def «D»(fn):
    @functools.wraps(fn)
    def wrapper(*args«¦, **kwargs»):
        print('«call¦->¦enter»', fn.__name__, args)
        result = fn(*args)
        print('«done¦<-¦exit»', result)
        return result
    return wrapper

%alt
@«D»
def mul(a, b=«#2-5»):
    return a * b

%use
x = mul(«#1-9»)
y = mul(«#1-9», «#1-9»)
print(mul.__name__)
%or
@«D»
def down(n):
    return n if n «< 1¦<= 1» else down(n - 1) «+¦*» n

%use
value = down(«#1-3»)
%or
class Calc:
    @«D»
    def add(self, n):
        return «n + 1¦n * «#2-5»¦-n»

%use
c = Calc
total = sum(Calc.add.__wrapped__(None, n) for n in «pos:2»)
print(total)
%end
""", """
%let D = retry¦repeat¦attempts
def «D»(times):
    def decorator(fn):
        def wrapper(*args):
            for attempt in range(1, times + 1):
                try:
                    return fn(*args)
                except «ValueError¦(ValueError, KeyError)¦Exception» as e:
                    print(attempt, e)
            return «None¦-1¦'gave up'»
        return wrapper
    return decorator

state = {'left': «#0-3»}

@«D»(«#1-3»)
def flaky(x):
    if state['left'] > 0:
        state['left'] -= 1
        raise ValueError(f'not yet {x}')
    return x «* 2¦+ 10¦** 2»
%use
a = flaky(«#1-9»)
b = flaky(«#1-9»)
print(a, b, state)
""", """
%let D = memoize¦cached¦remember
def «D»(fn):
    table = {}
    def wrapper(*args):
        if args not in table:
            table[args] = fn(*args)
%opt
        else:
            print('hit', args)
%end
        return table[args]
    wrapper.table = table
    return wrapper

@«D»
%alt
def paths(r, c):
    if r == 0 or c == 0:
        return 1
    return paths(r - 1, c) + paths(r, c - 1)

%use
n = paths(«#1-2», «#1-2»)
print(n, len(paths.table))
%or
def collatz(n):
    return 0 if n == 1 else 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)

%use
n = collatz(«4¦5¦6¦8¦10¦12»)
m = collatz(«2¦5¦8¦16»)
print(n, m, sorted(collatz.table)[«:2¦-1:»])
%or
def ways(n):
    if n < 0:
        return 0
    return 1 if n == 0 else ways(n - 1) + ways(n - «2¦3»)

%use
print(ways(«#2-4»))
print(ways.table)
%end
""", """
%let N = make_counter¦counter¦new_counter
def «N»(start=«#0-5», step=«#1-4»):
    count = start
    def bump(n=1):
        nonlocal count
        count += step * n
        return count
    def reset():
        nonlocal count
        old, count = count, start
        return old
    return bump, reset
%use
up, back = «N»(«¦«#0-20»¦step=«#2-9»»)
%some 0.7
a = up()
%and
b = up(«#2-5»)
%and
other, _ = «N»()
c = other(«#1-3»)
%and
was = back()
%end
print(up(), back())
""", """
%alt
from contextlib import contextmanager
%let G = y
%or
%let G = n
%end
%imports
log = []

%if G=y
@contextmanager
def section(name):
    log.append('+' + name)
    try:
        yield «name¦log¦len(log)»
%opt
    except «ValueError¦KeyError» as e:
        log.append(«'!'¦str(e)¦repr(e)»)
%end
    finally:
        log.append('-' + name)
%else
class section:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        log.append('+' + self.name)
        return self

    def __exit__(self, kind, value, tb):
        log.append('-' + self.name)
        return kind is «ValueError¦KeyError»
%end

def work(x):
    with section(«w») as s:
        if x > «#1-6»:
            raise «ValueError¦KeyError»(«x¦'big'»)
        with section('inner'):
            x «+=¦*=» «#2-5»
    return x
%use
for value in («#0-4», «#3-9»):
    try:
        print(work(value))
    except Exception as e:
        print(type(e).__name__)
print(len(log), log[-1])
""", """
%let F = run¦execute¦step¦interpret
def «F»(program, stack=None):
    stack = [] if stack is None else stack
    for op in program:
        match op:
            case int(n):
                stack.append(n)
            case '«dup¦copy»':
                stack.append(stack[-1])
            case 'swap':
                stack[-1], stack[-2] = stack[-2], stack[-1]
            case ('+' | '-' | '*') as sign:
                b, a = stack.pop(), stack.pop()
                stack.append(a + b if sign == '+' else a - b if sign == '-' else a * b)
            case ['times', int(n), body]:
                for _ in range(n):
                    «F»(body, stack)
            case str(word):
                «raise NameError(word)¦print('skip', word)¦stack.append(len(word))»
    return stack
%use
stack = «F»([«#1-9», «#1-9», «'+'¦'-'¦'*'», «#1-5», «'swap'¦'+'¦'-'¦'*'»])
%opt
more = «F»([«#1-9», ['times', «#1-3», [«#1-4», '+']]])
%end
try:
    «F»(['«dup¦swap¦+¦foo»'])
except (IndexError, NameError) as e:
    print(type(e).__name__, e)
print(stack)
"""]
