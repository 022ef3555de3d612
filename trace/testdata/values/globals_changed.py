# Globals that functions change, in a module whose frame is not on top.
count = 0
items = []
table = {}


def bump():
    global count
    count += 1
    return count


def fill(n):
    global items
    for i in range(n):
        items.append(bump())
        table[i] = items
    items = items[:]
    return len(items)


def make():
    global made, items
    made = [0]
    made += [1]
    del items
    items = (made,)
    globals()["by_key"] = made
    return made


def unmake():
    global made
    del made
    globals().pop("by_key")


def nested():
    def deeper():
        global count
        count = "text"
        return count

    return deeper()


first = fill(2)
second = fill(1)
third = make()
unmake()
fourth = nested()
made = "again"
print(count, items, table, first, second, third, fourth)
