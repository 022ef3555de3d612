# Objects that several names reach, and sets that are merged.


def spread(inventory, extra):
    for name, amount in inventory.items():
        amount.update(extra)
    return inventory


def merge(values):
    seen = set(values[:4])
    q = set(values[1:])
    seen |= q
    again = set(seen)
    both = again | {40, 41, 42}
    both.update({7, 8, 9})
    return sorted(both)


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


def chain(values):
    head = None
    for v in values:
        head = Node(v, head)
    return head


def text(name):
    out = ''
    found = 0
    out += name
    found += 1
    return out


class Holder:
    label = 'a' * 3
    count = 1
    label += 'b'
    count += 1


spread({'straight': {}, 'q': {}, 'v': {'q': 3}}, {'a': 12})
merge([1, 3, 11, 3, 19])
chain([1, 2, 3, 4, 5, 6])
text('xy')
size = abs(complex(-1, 5))
output = str(size)
z = 1
output += ', ' + str(z)
any(v > 1 for v in [1, 2, 3]), all(v for v in [1]), tuple(v for v in (1, 2))
if any(v > 1 for v in [1, 2]): kept = [v for v in (1, 2)]
