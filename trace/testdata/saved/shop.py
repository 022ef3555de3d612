import sys


class Item:
    def __init__(self, name, price):
        self.name = name
        self.price = price


def prices(items):
    for item in items:
        yield item.price


def total(items, discount):
    result = sum(prices(items))
    counts = {"items": len(items)}
    counts["discount"] = discount
    print(result)
    print("a text that is long enough to be " + "stored apart " * 40, file=sys.stderr)
    return result / discount


basket = [Item("tea", 3), Item("cake", 4)]
print(total(basket, 2))
basket.append(Item("jam", 5))
total(basket, 0)
