"""Lists and dicts in lists that names of a function hold: what a name has held while a line
ran is not looked at again, so each line here binds, frees or changes something in a way of
its own. Freed addresses are soon used again."""


def chains(n):
    inner = []
    for k in range(n):
        inner = [k, inner]
    inner = [inner, inner]; inner = [1, inner]
    inner = [0]; inner = [1, inner]; inner = [2, inner]; inner = [3, inner]
    a, b = [inner], [1]
    a, b = b, [2, a, b]
    a = b = [a, b]
    a = [[k, a] for k in range(3)]
    a = [(b := [k, b]) for k in range(3)]
    a = [b := [0], b, [b]]
    b = [a.append(1), a]
    b = [a.pop(), a, a[0]]
    b = [change(a), a]
    b = {"a": a, "b": b}
    b = {"a": [b], **b}
    b = [*b["a"], a]
    b = (a, b)
    a = (b, a, [b])
    a = [[9] for _ in range(3)]
    a = [a[0], a[1]]
    a = [a[1], [5]]
    a = a[0]
    a = [6]
    a = [[7], a]
    a = a[0]
    a = [a, a]
    a[0] = a = [8]
    a = b = [a]
    b = [b]
    del a
    a = [b]
    return a, b


def change(x):
    x[0] = [x[0], 4]
    x = [x]
    x = [x]
    return x


def shared():
    held = [1]

    def rebind():
        nonlocal held
        held = [2]
        held = [held]
        return held

    both = [held, rebind()]
    both = [held, both, rebind(), held]
    held = [held, both]
    both = [both, (lambda: held)()]
    return both


def looped():
    rows = [[n] for n in range(4)]
    for row in rows:
        row = [row]
        row = [row, rows]
        row[0][0].append(row[0])
    for n, row in enumerate(rows):
        rows = [row, rows[0]]
    while len(rows) > 1:
        rows = rows[1]
    last = None
    for n in range(6):
        last = [n, last]
        last = [last]
        last = last[0]
    return last


def yielded():
    kept = [1]
    got = [kept, (yield kept)]
    kept = [got]
    got = yield [kept, got]
    kept = [kept, got, (yield got)]
    return kept


def failed():
    kept = [1]
    try:
        kept = [kept, missing]
    except NameError as kept:
        kept = [kept.args]
    kept = [kept, 1] if kept else kept
    with open("/dev/null") as kept:
        pass
    kept = [[kept.closed]]
    kept = [kept, kept[0]]
    return kept


def run():
    first = chains(12)
    second = shared()
    third = looped()
    generator = yielded()
    fourth = [next(generator), generator.send([2]), generator.send(second)]
    try:
        generator.send([5])
    except StopIteration as stop:
        fifth = stop.value
    sixth = failed()
    return first, second, third, fourth, fifth, sixth


everything = run()
print(len(everything))
