"""Scripts people write and debug: generators, decorators, closures, with, match, simulations."""

SCRIPTS = ["""
%let C = Range¦Span¦Steps¦Every
class «C»:
    def __init__(self, start, stop, step=«1¦2¦1»):
        self.start, self.stop, self.step = start, stop, step

%alt
    def __iter__(self):
        current = self.start
        while current < self.stop:
            yield current
            current += self.step
%or
    def __iter__(self):
        self.current = self.start
        return self

    def __next__(self):
        if self.current >= self.stop:
            raise StopIteration
        value = self.current
        self.current += self.step
        return value
%end

    def __len__(self):
        return max(0, -(-(self.stop - self.start) // self.step))
%opt

    def __contains__(self, x):
        return self.start <= x < self.stop and (x - self.start) % self.step == 0
%end
%use
r = «C»(«#0-5», «#2-9»«¦, «#2-4»»)
%alt
total = 0
for x in r:
    total += x
%or
doubled = [x * 2 for x in r]
%or
it = iter(r)
first = next(it, None)
rest = list(it)
%or
pairs = list(zip(r, 'abc'))
%end
n, has = len(r), «#1-8» in r
""", """
ORDER = «{'low': 1, 'mid': 2, 'high': 3}¦{'low': 0, 'high': 9}»

class Ticket:
    count = 0

    def __init__(self, title, level='low'):
        Ticket.count += 1
        self.id = Ticket.count
        self.title = title
        self.level = level
        self.open = True

    def close(self«¦, reason=None»):
        if not self.open:
            raise RuntimeError(f'#{self.id} is closed')
        self.open = False
        return self

    @classmethod
    def parse(cls, text):
        title, _, level = text.partition('!')
        return cls(title.strip(), level or 'low')

def urgent(tickets):
    return sorted((t for t in tickets if t.open), key=lambda t: «-ORDER.get(t.level, 0)¦(ORDER.get(t.level, 0), t.title)»)
%use
tickets = [Ticket(«w», 'high'), Ticket.parse('«W»!«high¦low¦odd»'), Ticket(«w»)]
tickets[«0¦1¦2»].close()
%opt
try:
    tickets[«0¦1¦2»].close()
except RuntimeError as e:
    print(e)
%end
names = [t.title for t in urgent(tickets)]
print(Ticket.count, names«¦[0]»)
""", """
%let F = process¦handle_all¦batch
class RetryError(Exception):
    pass

def check(value):
    if not isinstance(value, int):
        raise TypeError(f'{value!r} is no int')
    if value < 0:
        raise ValueError('negative')
    return «100 // value¦value * 2¦[10, 20, 30][value]»

def «F»(values, strict=«False¦True»):
    good, bad = [], {}
    for value in values:
        try:
            result = check(value)
        except (ValueError, TypeError) as e:
            if strict:
                raise RetryError('stopped') from e
            bad[type(e).__name__] = bad.get(type(e).__name__, 0) + 1
        except ArithmeticError:
            continue
        else:
            good.append(result)
        finally:
            «print(value)¦total = len(good)»
    return good, bad
%use
%alt
try:
    print(«F»([«#0-3», -«#0-5», «'x'¦None¦«#1-2»»]))
except RetryError as e:
    cause = e.__cause__
    print(repr(cause))
except IndexError as e:
    print('index', e)
%or
%raises
good, bad = «F»([«#0-2», «#0-4», «'x'¦-1¦«#1-2»»])
print(good)
%end
""", """
%let C = Player¦Hero¦Fighter
class «C»:
    def __init__(self, name, hp=«#10-30», power=«#2-9»):
        self.name = name
        self.hp = hp
        self.power = power

    @property
    def alive(self):
        return self.hp > 0

    def hit(self, other):
        other.hp -= self.power
%opt
        if not other.alive:
            other.hp = 0
%end
        return other.hp

class Mage(«C»):
    def __init__(self, name, mana=«#1-4»):
        super().__init__(name, hp=«#5-15»)
        self.mana = mana

    def hit(self, other):
        if self.mana > 0:
            self.mana -= 1
            other.hp -= «#3-9»
        return super().hit(other)
%use
a = «C»(«w», «#5-16», «#3-9»)
b = Mage(«w»«¦, «#0-2»»)
turn = 0
while a.alive and b.alive and turn < «#2-3»:
    first, second = (a, b) if turn % 2 == «0¦1» else (b, a)
    first.hit(second)
    turn += 1
winner = a.name if a.hp > b.hp else b.name
print(turn, a.hp, b.hp)
""", """
from collections import deque
%imports
%let F = simulate¦serve¦round_robin
def «F»(jobs, quantum=«#1-4»):
    queue = deque(jobs)
    clock, finished = 0, []
    while queue:
        name, need = queue.popleft()
        used = min(quantum, need)
        clock += used
        if need > used:
            queue.append((name, need - used))
        else:
            finished.append(«(name, clock)¦name»)
    return «finished¦clock, finished»
%use
result = «F»([('a', «#1-6»), ('b', «#1-5»)«¦, ('c', «#1-3»)»]«¦, «#1-3»¦, quantum=«#2-4»»)
print(result)
""", """
%let C = Trie¦Prefixes
class «C»:
    def __init__(self):
        self.root = {}

    def add(self, word):
        node = self.root
        for letter in word:
            node = node.setdefault(letter, {})
        node['$'] = «True¦word¦len(word)»

    def find(self, prefix):
        node = self.root
        for letter in prefix:
            if letter not in node:
                return «None¦False»
            node = node[letter]
        return «'$' in node¦sorted(node)»
%use
t = «C»()
for word in («'to', 'tea'¦'a', 'ab'¦'in', 'it'¦'no', 'not'»):
    t.add(word)
for prefix in ('«to¦te¦a¦in¦n¦x»', '«t¦ab¦not¦i»'):
    print(prefix, t.find(prefix))
""", """
HANDLERS = {}

def command(name):
    def register(fn):
        HANDLERS[name] = fn
        return fn
    return register

%any
@command('add')
def add(state, n):
    state['total'] += int(n)

%and
@command('«sub¦drop»')
def sub(state, n='1'):
    state['total'] -= int(n)

%and
@command('undo')
def undo(state):
    state['total'] = state['history'].pop()

%end
def run(lines):
    state = {'total': «#0-9», 'history': []}
    for line in lines:
        name, *args = line.split()
        fn = HANDLERS.get(name)
        if fn is None:
            print('unknown', name)
            continue
        if name != 'undo':
            state['history'].append(state['total'])
        try:
            fn(state, *args)
        except («TypeError, ValueError¦TypeError, ValueError, IndexError») as e:
            print(type(e).__name__)
    return state
%use
final = run(['add «#1-20»', '«undo¦sub 2¦drop¦add x¦quit»'«¦, 'add 3'¦, 'undo'»])
print(final['total'])
"""]
