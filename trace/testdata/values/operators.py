# Operators of classes that change their operands.
class Money:
    def __init__(self, n):
        self.n, self.log = n, []

    def __add__(self, other):
        self.log.append("add")
        return Money(self.n + getattr(other, "n", other))

    def __radd__(self, other):
        self.log.append("radd")
        return self + other

    def __iadd__(self, other):
        self.n += getattr(other, "n", other)
        self.log.append("iadd")
        return self

    def __getitem__(self, i):
        self.log.append(i)
        return self.log

    def __setitem__(self, i, value):
        self.log[i] = value

    def __delitem__(self, i):
        del self.log[i]

    def __contains__(self, x):
        self.log.append("in")
        return x in self.log

    def __len__(self):
        self.log.append("len")
        return self.n

    def __bool__(self):
        self.log.append("bool")
        return True

    def __eq__(self, other):
        self.log.append("eq")
        return self is other

    def __hash__(self):
        self.log.append("hash")
        return 1

    def __iter__(self):
        self.log.append("iter")
        return iter([self.n])

    def __neg__(self):
        self.log.append("neg")
        return self

    def __format__(self, spec):
        self.log.append("format")
        return "%d" % self.n

    def __enter__(self):
        self.log.append("enter")
        return self.log

    def __exit__(self, *exc):
        self.log.append("exit")


a, b = Money(1), Money(2)
log = a.log
c = a + b
c = 3 + a
a += b
alias = a
alias += 10
a[0].append("item")
a[0] = "set"
del a[1]
found = "in" in a
n = len(a)
if a and not b.n < 0:
    e = a == b
s = {a}
t = {a: b, b: a}
x, = a
d = -a
text = f"{a} {b}"
with b as entered:
    entered.append("body")
y = [*a, *b]
z = a if b else None
total = sum([a, b], 0)
big = a and b
print(log, b.log, c.n, found, n, e, x, text, total.n)
