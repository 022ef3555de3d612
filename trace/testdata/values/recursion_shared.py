# Recursion with accumulators that all levels share.
def permutations(rest, chosen, found):
    if not rest:
        found.append(chosen[:])
        return
    for i in range(len(rest)):
        chosen.append(rest.pop(i))
        permutations(rest, chosen, found)
        rest.insert(i, chosen.pop())


def fib(n, memo):
    if n in memo:
        return memo[n]
    memo[n] = n if n < 2 else fib(n - 1, memo) + fib(n - 2, memo)
    return memo[n]


def flatten(tree, out=None):
    out = [] if out is None else out
    for part in tree:
        if isinstance(part, list):
            flatten(part, out)
        else:
            out.append(part)
    return out


def partition(items, low, high):
    if low >= high:
        return
    pivot, at = items[high], low
    for i in range(low, high):
        if items[i] < pivot:
            items[i], items[at] = items[at], items[i]
            at += 1
    items[at], items[high] = items[high], items[at]
    partition(items, low, at - 1)
    partition(items, at + 1, high)


found = []
permutations([1, 2, 3], [], found)
memo = {}
f = fib(6, memo)
flat = flatten([1, [2, [3, []], 4]])
numbers = [3, 1, 4, 1, 5]
view = numbers
partition(numbers, 0, len(numbers) - 1)
print(found, f, memo, flat, view)
