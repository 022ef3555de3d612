"""Scripts people write and debug: classes with state."""

SCRIPTS = ["""
%let C = Account¦Wallet¦BankAccount¦Purse
%let D = deposit¦put¦add¦credit
%let X = withdraw¦take¦spend¦debit
%let E = ValueError¦InsufficientFunds¦RuntimeError
%let P = balance¦_balance¦balance
%if E=InsufficientFunds
class InsufficientFunds(Exception):
    pass

%end
class «C»:
%opt 0.3
    fee = «#0-3»

%end
    def __init__(self, owner, «P»=«0¦0¦10¦25»):
        self.owner = owner
        self.«P» = «P»
%opt 0.4
        self.history = []
%let H = y
%end

%any
    def «D»(self, amount):
%opt 0.6
        if amount <= 0:
            raise ValueError(«'bad amount'¦f'bad amount: {amount}'¦'amount must be positive'»)
%end
        self.«P» += amount
%if H=y
        self.history.append((«'D'¦'in'¦'+'», amount))
%end
%opt 0.5
        return self.«P»
%end

%and
    def «X»(self, amount):
        if amount > self.«P»«¦ + «#1-9»»:
            raise «E»(«f'need {amount - self.«P»} more'¦'not enough'¦'insufficient funds'¦amount»)
        self.«P» -= amount
%if H=y
        self.history.append(('out', -amount))
%end
        return «self.«P»¦amount¦self»

%and
%opt 0.4
    def transfer(self, other, amount):
        self.«X»(amount)
        other.«D»(amount)

%let T = y
%end
%and
%opt 0.3
    def __repr__(self):
        return f'«C»({self.owner}«: ¦, ¦=»{self.«P»})'

%end
%end
%use
a = «C»(«w», «#0-100»)
%opt 0.7
b = «C»(«w»)
b.«D»(«#1-60»)
%end
%alt
for amount in «[«#1-50», «#1-90», «#1-30»]¦(«#1-99», -«#0-9»)»:
    try:
        a.«X»(amount)
    except «E»«¦ as e»:
        print('failed', amount)
%or
try:
    a.«X»(«#1-120»)
    print('ok')
except «E» as err:
    print(err)
%opt
else:
    print(a.«P»)
%end
%opt
finally:
    print(a.owner)
%end
%or
%raises
a.«D»(«#1-30»)
print(a.«X»(«#1-150»))
%end
%if T=y
try:
    a.transfer(a, «#1-40»)
except Exception as e:
    print(type(e).__name__)
%end
total = a.«P»
%if H=y
count = len(a.history)
%end
print(total)
""", """
%let C = Inventory¦Stock¦Warehouse¦Shelf¦Pantry
%let A = add¦receive¦restock¦put
%let R = remove¦sell¦take¦ship
class «C»:
    def __init__(self«¦, entries=None»):
        self.entries = {}
%opt 0.4
        self.limit = «#5-60»
%let L = y
%end

%any
    def «A»(self, name, qty=1):
%if L=y
        if self.total() + qty > self.limit:
            return False
%end
%alt
        self.entries[name] = self.entries.get(name, 0) + qty
%or
        if name in self.entries:
            self.entries[name] += qty
        else:
            self.entries[name] = qty
%or
        self.entries.setdefault(name, 0)
        self.entries[name] += qty
%end
        return «True¦self.entries[name]»

%and
    def «R»(self, name, qty=1):
        have = self.entries.get(name, 0)
        if have < qty:
%alt
            raise KeyError(name)
%or
            raise ValueError(f'only {have} {name}')
%end
        if have == qty:
            del self.entries[name]
        else:
            self.entries[name] = have - qty
        return «have - qty¦qty¦self»

%and
    def total(self):
        return sum(self.entries.values())

%and
%opt
    def __contains__(self, name):
        return name in self.entries

%let K = y
%end
%and
%opt
    def low(self, limit=«#1-9»):
        return «sorted(n for n, q in self.entries.items() if q < limit)¦[n for n, q in self.entries.items() if q <= limit]¦{n: q for n, q in self.entries.items() if q < limit}»

%let LO = y
%end
%end
%use
shop = «C»()
for name, qty in [('«N=nut¦bolt¦tea¦pear¦rope»', «#1-20»), («w», «#1-9»), ('«N»', «#1-6»)]:
    shop.«A»(name, qty)
%opt
shop.«A»(«w»)
%end
try:
    left = shop.«R»('«N»', «#1-24»)
except («KeyError, ValueError») as e:
    left = «str(e)¦e.args[0]¦None¦repr(e)»
%if K=y
has = '«N»' in shop
%end
%if LO=y
few = shop.low(«¦«#1-15»»)
%end
print(shop.total(), left)
""", """
%let C = Stack¦Pile¦Tower
class «C»:
    def __init__(self«¦, entries=()»):
        self.«D=data¦_items¦contents¦elems» = «list()¦[]»

%any
    def push(self, value):
        self.«D».append(value)
        return «self¦None¦len(self.«D»)»

%and
    def pop(self):
        if not self.«D»:
            «raise IndexError('pop from empty «C»')¦return None¦raise IndexError('empty')»
        return self.«D».pop()

%and
    def peek(self):
        return self.«D»[-1] if self.«D» else None

%and
%opt
    def __len__(self):
        return len(self.«D»)

%let L = y
%end
%and
%opt
    def __iter__(self):
        «return reversed(self.«D»)¦return iter(self.«D»)¦yield from self.«D»[::-1]»

%let I = y
%end
%end
%use
st = «C»()
for value in «ints:3»:
    st.push(value)
top = st.peek()
%opt
st.push(top)
%end
%alt
while st.peek() is not None:
    print(st.pop())
%or
out = []
for _ in range(«#1-5»):
    try:
        out.append(st.pop())
    except IndexError as e:
        out.append(«str(e)¦None¦'empty'»)
        break
%or
a, b = st.pop(), st.pop()
c = a + b
%end
%if L=y
n = len(st)
%end
%if I=y
rest = list(st)
%end
"""]
