"""A restock report for three warehouses, one of which orders too much.

Every warehouse lists what has fallen below its minimum. The north lacks one
thing and the east two, and yet the east is told to order three, and the
south, which lacks nothing, three as well.

What to look for: step into order_for() for the second warehouse and look at
its arguments at the call, before a single line of it has run. Where does the
value of `lines` come from?
"""


class Item:
    """A thing on a shelf: how many there are and how many there should be."""

    def __init__(self, name, count, minimum):
        self.name = name
        self.count = count
        self.minimum = minimum

    def missing(self):
        return max(0, self.minimum - self.count)


WAREHOUSES = {
    "north": [Item("bolt", 40, 30), Item("nut", 12, 50)],
    "east": [Item("bolt", 5, 30), Item("gear", 9, 9), Item("spring", 0, 4)],
    "south": [Item("gear", 20, 10), Item("washer", 75, 60)],
}


def order_for(items, lines=[]):
    """Return the order lines (name, quantity) for what is missing."""
    for item in items:
        quantity = item.missing()
        if quantity:
            lines.append((item.name, quantity))
    return lines


def report(name, items):
    """Print one warehouse's order and return how many pieces it asks for."""
    lines = order_for(items)
    wanted = [f"{quantity} {item}" for item, quantity in lines]
    print(f"{name:>6}: {', '.join(wanted) or 'nothing'}")
    return sum(quantity for _, quantity in lines)


def main():
    ordered = sum(report(name, items) for name, items in WAREHOUSES.items())
    lacking = sum(i.missing() for items in WAREHOUSES.values() for i in items)
    verdict = "ok" if ordered == lacking else "WRONG"
    print(f"pieces ordered {ordered}, pieces lacking {lacking}: {verdict}")


if __name__ == "__main__":
    main()
