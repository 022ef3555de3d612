# Dynamic programming: knapsack, edit distance, longest common subsequence, change, chains.
from functools import lru_cache


def knapsack(items, room):
    best = [[0] * (room + 1) for _ in range(len(items) + 1)]
    for i, (weight, value) in enumerate(items, 1):
        for w in range(room + 1):
            best[i][w] = best[i - 1][w]
            if weight <= w:
                best[i][w] = max(best[i][w], best[i - 1][w - weight] + value)
    return best[-1][-1]


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def common(a, b):
    @lru_cache(None)
    def longest(i, j):
        if i == len(a) or j == len(b):
            return ""
        if a[i] == b[j]:
            return a[i] + longest(i + 1, j + 1)
        return max(longest(i + 1, j), longest(i, j + 1), key=len)

    return longest(0, 0), longest.cache_info().misses


def change(coins, amount):
    ways = {0: 1}
    for coin in coins:
        for n in range(coin, amount + 1):
            ways[n] = ways.get(n, 0) + ways.get(n - coin, 0)
    return ways[amount]


def increasing(xs):
    tails = []
    for x in xs:
        at = next((i for i, t in enumerate(tails) if t >= x), len(tails))
        tails[at : at + 1] = [x]
    return len(tails)


print(knapsack([(1, 1), (3, 4), (4, 5), (5, 7)], 7))
print(distance("kitten", "sitting"), common("agcat", "gac"))
print(change([1, 2, 5], 11), increasing([10, 9, 2, 5, 3, 7, 101, 18]))
