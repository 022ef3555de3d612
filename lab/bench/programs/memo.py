"""Recursion with memoization: edit distance, change, partitions, the best sack."""


def edit_distance(a, b, memo=None):
    if memo is None:
        memo = {}
    key = (a, b)
    if key in memo:  # hot: memo is None
        return memo[key]
    if not a:
        result = len(b)
    elif not b:
        result = len(a)
    elif a[0] == b[0]:
        result = edit_distance(a[1:], b[1:], memo)
    else:
        deleted = edit_distance(a[1:], b, memo)
        inserted = edit_distance(a, b[1:], memo)
        replaced = edit_distance(a[1:], b[1:], memo)
        result = 1 + min(deleted, inserted, replaced)
    memo[key] = result
    return result


class Change:
    def __init__(self, coins):
        self.coins = coins
        self.known = {0: []}

    def fewest(self, amount):
        if amount in self.known:
            return self.known[amount]
        best = None
        for coin in self.coins:
            if coin <= amount:
                rest = self.fewest(amount - coin)
                if rest is not None and (best is None or len(rest) + 1 < len(best)):
                    best = [coin] + rest
        self.known[amount] = best
        return best


def remembering(function):
    seen = {}

    def wrapper(*arguments):
        if arguments not in seen:
            seen[arguments] = function(*arguments)
        return seen[arguments]

    wrapper.seen = seen
    return wrapper


@remembering
def partitions(number, largest):
    if number == 0:
        return 1
    total = 0
    for part in range(1, min(number, largest) + 1):
        total += partitions(number - part, part)
    return total


def best_sack(things, capacity):
    table = {}

    def best(i, room):
        if i == len(things):
            return 0, ()
        if (i, room) not in table:
            value, chosen = best(i + 1, room)
            name, weight, worth = things[i]
            if weight <= room:
                other, others = best(i + 1, room - weight)
                if other + worth > value:
                    value, chosen = other + worth, (name,) + others
            table[i, room] = (value, chosen)
        return table[i, room]

    return best(0, capacity), len(table)


THINGS = [
    ("lamp", 5, 30), ("rope", 7, 40), ("tent", 20, 90), ("stove", 9, 45), ("bread", 3, 25), ("map", 1, 20),
    ("axe", 8, 38), ("water", 10, 70), ("radio", 6, 28), ("book", 2, 9), ("coat", 11, 52), ("knife", 2, 26),
]  # fmt: skip


def main():
    pairs = [("kitten sitting on it", "sitting kitten"), ("intention", "execution"), ("debugger", "bugged red")]
    distances = [edit_distance(a, b) for a, b in pairs]
    change = Change([1, 7, 10, 22, 35, 50])
    coins = change.fewest(700)
    ways = partitions(150, 150)
    (worth, chosen), size = best_sack(THINGS, 75)
    print("distances", distances, "coins", coins)
    print("partitions", ways, "remembered", len(partitions.seen))
    print("sack", worth, chosen, size)
    checksum = sum(distances) + len(coins) * 100 + ways * 3 + worth + size + len(partitions.seen)
    print("checksum", checksum % 1000003)


if __name__ == "__main__":
    main()
