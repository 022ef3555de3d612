"""A warehouse's books with namedtuples: deliveries, orders, a report."""

import random
from collections import defaultdict, namedtuple

Item = namedtuple("Item", "code name price")
Line = namedtuple("Line", "item quantity")
Order = namedtuple("Order", "number customer lines")
Movement = namedtuple("Movement", "day code change reason")

NAMES = ["bolt", "nut", "screw", "washer", "nail", "hinge", "bracket", "hook", "clamp", "rivet"]


class Warehouse:
    def __init__(self, items):
        self.items = {item.code: item for item in items}
        self.stock = dict.fromkeys(self.items, 0)
        self.movements = []
        self.missed = []

    def book(self, movement):
        self.stock[movement.code] += movement.change
        self.movements.append(movement)

    def deliver(self, day, code, quantity):
        self.book(Movement(day, code, quantity, "delivery"))

    def ship(self, day, order):
        value = 0
        for line in order.lines:
            code = line.item.code
            available = self.stock[code]
            shipped = min(available, line.quantity)
            if shipped:
                self.book(Movement(day, code, -shipped, f"order {order.number}"))
            if shipped < line.quantity:  # hot: shipped < 0
                self.missed.append(line._replace(quantity=line.quantity - shipped))
            value += shipped * line.item.price
        return value


def catalogue():
    items = []
    for number, name in enumerate(NAMES):
        for size in (3, 4, 5, 6):
            items.append(Item(f"{name[:2].upper()}{size}", f"{name} M{size}", 5 + number * size))
    return items


def invent_order(number, items, source):
    lines = []
    for _ in range(source.randrange(1, 6)):
        item = source.choice(items)
        lines.append(Line(item, source.randrange(1, 30)))
    return Order(number, f"customer {source.randrange(50)}", tuple(lines))


def report(warehouse):
    totals = defaultdict(int)
    for day, code, change, _ in warehouse.movements:
        totals[code] += abs(change) * (day % 7 + 1)
    for code in sorted(totals)[:5]:
        item = warehouse.items[code]
        print(f"{item.name:12} {warehouse.stock[code]:5} in stock, moved {totals[code]}")
    return totals


def main():
    source = random.Random(17)
    items = catalogue()
    warehouse = Warehouse(items)
    sold = defaultdict(int)
    number = 0
    for day in range(330):
        for item in items[day % 4 :: 4]:
            warehouse.deliver(day, item.code, source.randrange(10, 60))
        for _ in range(10):
            number += 1
            order = invent_order(number, items, source)
            sold[order.customer] += warehouse.ship(day, order)
    totals = report(warehouse)
    best = max(sold.items(), key=lambda pair: (pair[1], pair[0]))
    print("best customer", best, "missed", len(warehouse.missed))
    checksum = 0
    for code in sorted(warehouse.stock):
        checksum = (checksum * 31 + warehouse.stock[code] + totals[code]) % 1000003
    print("checksum", (checksum + sum(sold.values())) % 1000003)


if __name__ == "__main__":
    main()
