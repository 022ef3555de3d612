"""A shop that restocks what runs low."""

PRICES = {"apple": 3, "pear": 4, "fig": 11}


class Shelf:
    def __init__(self, name, count):
        self.name = name
        self.count = count


def price(name, count=1):
    return PRICES.get(name, 5) * count


def restock(shelves, threshold=5):
    low = []
    cost = 0
    for shelf in shelves:
        if shelf.count < threshold:
            missing = threshold - shelf.count
            cost += price(shelf.name, missing)
            low.append(shelf.name)
    return low, cost


def main():
    shelves = [Shelf("apple", 3), Shelf("pear", 9), Shelf("fig", 0)]
    print("counting", len(shelves), "shelves")
    low, cost = restock(shelves)
    print("low:", ", ".join(low))
    return cost


total = main()
print(total)
