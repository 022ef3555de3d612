"""Scripts people write and debug: classes with state."""

SCRIPTS = ["""
%let C = Queue¦TaskQueue¦Line¦Waiting
class «C»:
    def __init__(self, limit=«#2-4»):
        self.queue = []
        self.limit = limit
        self.dropped = 0

    def enqueue(self, value):
        if len(self.queue) >= self.limit:
            self.dropped += 1
            return False
        self.queue.«append(value)¦insert(0, value)»
        return True

    def dequeue(self):
        return self.queue.pop(«0¦»)«¦ if self.queue else None»

    @property
    def is_empty(self):
        return «not self.queue¦len(self.queue) == 0»

%use
q = «C»(«¦«#1-3»»)
for value in «strs:3»:
    q.enqueue(value)
%alt
while not q.is_empty:
    print(q.dequeue())
%or
first = q.dequeue()
q.enqueue(first + «w»)
state = (len(q.queue), q.dropped)
%or
done = []
for turn in range(«#1-2»):
    done.append(q.dequeue())
%end
""", """
%let C = Vector¦Vec¦Point¦Pair
%opt 0.4
from functools import total_ordering
%let TO = y
%imports
%end
%if TO=y
@total_ordering
%end
class «C»:
    def __init__(self, x«¦=0», y=«#0-5»):
        self.x = x
        self.y = y

%any
    def __add__(self, other):
        return «C»(self.x + other.x, self.y + other.y)

%and
    def __sub__(self, other):
        return «C»(self.x - other.x, self.y - other.y)

%and
    def __mul__(self, k):
%opt 0.6
        if isinstance(k, «C»):
            return self.x * k.x + self.y * k.y
%end
        return «C»(self.x * k, self.y * k)

%and
    def __eq__(self, other):
        return «(self.x, self.y) == (other.x, other.y)¦self.x == other.x and self.y == other.y»

%and
    def __lt__(self, other):
        return «self.norm() < other.norm()¦(self.x, self.y) < (other.x, other.y)»

%and
    def norm(self):
        return «abs(self.x) + abs(self.y)¦self.x ** 2 + self.y ** 2¦max(abs(self.x), abs(self.y))»

%and
%opt
    def __repr__(self):
        return «f'«C»({self.x}, {self.y})'¦f'<{self.x}; {self.y}>'»

%end
%end
%use
p = «C»(«#-4-9», «#-4-9»)
q = «C»(«#-4-9»)
%some 0.6
r = p + q
%and
s = p - q
%and
t = p * «#2-4»
%and
dot = (p * «#2-5») == q
%and
small = min(p, q)
%and
n = p.norm()
%end
print(p == q, p < q)
""", """
%let C = Temperature¦Celsius¦Thermo¦Reading
class «C»:
    def __init__(self, degrees):
        self._degrees = degrees

    @property
    def degrees(self):
        return self._degrees

    @degrees.setter
    def degrees(self, value):
        if value < «L=-273¦0¦-50»:
            raise ValueError(«'too cold'¦f'{value} below «L»'»)
        self._degrees = value

    @property
    def fahrenheit(self):
        return self._degrees * 9 «/¦//» 5 + 32

%opt
    @classmethod
    def from_fahrenheit(cls, f):
        return cls((f - 32) * 5 // 9)

%let F = y
%end
%opt 0.4
    @staticmethod
    def is_hot(value):
        return value > «#20-40»

%let S = y
%end
%use
t = «C»(«#-10-40»)
%if F=y
u = «C».from_fahrenheit(«#10-120»)
t.degrees = u.degrees
%end
f = t.fahrenheit
try:
    t.degrees «=¦-=» «#1-20»
    t.degrees = -«#1-300»
except ValueError as e:
    print('error:', e)
%if S=y
hot = «C».is_hot(t.degrees)
%end
print(t.degrees)
""", """
%let C = ShoppingCart¦Cart¦Basket¦Order
class «C»:
    tax = «0¦5¦10¦20»

    def __init__(self):
        self.lines = []

    def add(self, name, price, count=1):
        self.lines.append(«(name, price, count)¦{'name': name, 'price': price, 'count': count}»)
        return self

    def «S=subtotal¦total¦amount»(self):
        total = 0
        for line in self.lines:
%alt
            *_, price, count = line.values() if isinstance(line, dict) else line
%or
            if isinstance(line, dict):
                price, count = line['price'], line['count']
            else:
                _, price, count = line
%end
            total += price * count
        return total

    def checkout(self, discount=0):
        total = self.«S»()
%opt
        if total > «#20-80»:
            discount += «#1-10»
%end
        total -= total * discount // 100
        return total + total * self.tax // 100

%use
cart = «C»()
cart.add(«w», «#1-30»).add(«w», «#1-30», «#1-4»)
%opt
cart.add(«w», «#1-9», count=«#2-5»)
%end
%opt 0.3
«C».tax = «#0-25»
%end
plain = cart.checkout()
%opt
reduced = cart.checkout(«discount=«#5-50»¦«#5-50»»)
%end
print(plain)
""", """
%let C = Matrix¦Mat¦Table
class «C»:
    def __init__(self, rows):
        self.rows = rows

%any
    def transpose(self):
        return «C»(«[list(r) for r in zip(*self.rows)]¦[[row[i] for row in self.rows] for i in range(len(self.rows[0]))]»)

%and
    def __getitem__(self, pos):
        i, j = pos
        return self.rows[i][j]

%and
    def trace(self):
        return sum(self.rows[i][i] for i in range(min(len(self.rows), len(self.rows[0]))))

%and
    def __add__(self, other):
        return «C»([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows)])

%and
    def row_sums(self):
        return «[sum(r) for r in self.rows]¦list(map(sum, self.rows))»

%end
%use
m = «C»(«mat»)
%some 0.55
t = m.transpose()
%and
d = m.trace()
%and
double = m + m
%and
cell = m[«0¦1¦-1», «0¦1¦-1»]
%end
print(m.row_sums())
""", """
%let C = Counter_¦Tally¦Votes¦Histogram
class «C»:
    def __init__(self«¦, pairs=()»):
        self.counts = {}

    def add(self, key, n=1):
        self.counts[key] = self.counts.get(key, 0) + n

%any
    def __getitem__(self, key):
        return self.counts.get(key, 0)

%and
    def __len__(self):
        return len(self.counts)

%and
    def top(self, n=«#1-3»):
        ranked = sorted(self.counts.items(), key=lambda kv: «(-kv[1], kv[0])¦kv[1]¦(kv[1], kv[0])»«¦, reverse=True»)
        return ranked[:n]

%and
    def __iter__(self):
        for key in «self.counts¦sorted(self.counts)»:
            yield key

%end
%use
tally = «C»()
for word in «'«a b a¦x y x x¦one two one»'.split()¦'«abca¦xyzzy¦hello»'»:
    tally.add(word)
tally.add(«'a'¦w¦'x'», «#2-5»)
best = tally.top(«¦«#1-2»»)
n = len(tally)
keys = list(tally)
print(best, tally['a'])
""", """
%let C = Robot¦Turtle¦Rover
MOVES = {'N': (0, 1), 'S': (0, -1), 'E': (1, 0), 'W': (-1, 0)}

class «C»:
    def __init__(self, x=0, y=0«¦, size=«#2-6»»):
        self.x = x
        self.y = y
        self.path = [(x, y)]

    def step(self, way):
        dx, dy = MOVES[way]
        self.x += dx
        self.y += dy
        self.path.append((self.x, self.y))

    def run(self, program):
        for way in program:
%alt
            if way not in MOVES:
                continue
            self.step(way)
%or
            try:
                self.step(way)
            except KeyError:
                print('skip', way)
%or
            if way == '-':
                break
            self.step(way)
%end
        return «self.x, self.y¦len(self.path)¦abs(self.x) + abs(self.y)»

%use
r = «C»(«¦«#0-3»¦«#0-5», «#0-5»»)
end = r.run('«NN¦EN¦SW¦NE-¦E»«E¦W¦N¦S»«x¦N¦E¦»')
again = len(set(r.path)) < len(r.path)
print(end)
"""]
