import counter
from counter import bump, value

value = 10
bump()
counter.bump(5)
a = counter.value
b = value
counter.value = 100
bump()
c = counter.read()


def read():
    return value


reads = [read(), counter.read(), counter.through(read)]
items = counter.items
items.append(1)
d = counter.count()
counter.items = []
e = (counter.count(), len(items))
f = counter.helper_of_helper.scale(3)
from counter import helper_of_helper as hh
hh.FACTOR = 10
g = counter.scaled(2)
