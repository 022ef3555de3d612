# Sorting in many ways, in place and not.
import random


def bubble(xs):
    for i in range(len(xs)):
        swapped = False
        for j in range(len(xs) - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
                swapped = True
        if not swapped:
            break
    return xs


def insertion(xs):
    for i in range(1, len(xs)):
        x, j = xs[i], i
        while j and xs[j - 1] > x:
            xs[j] = xs[j - 1]
            j -= 1
        xs[j] = x
    return xs


def merge(xs):
    if len(xs) < 2:
        return xs
    left, right, out = merge(xs[: len(xs) // 2]), merge(xs[len(xs) // 2 :]), []
    while left and right:
        out.append((left if left[0] <= right[0] else right).pop(0))
    return out + left + right


def quick(xs):
    if not xs:
        return []
    pivot, *rest = xs
    return quick([x for x in rest if x < pivot]) + [pivot] + quick([x for x in rest if x >= pivot])


def heap(xs):
    def sift(at, end):
        while (child := 2 * at + 1) < end:
            if child + 1 < end and xs[child] < xs[child + 1]:
                child += 1
            if xs[at] >= xs[child]:
                return
            xs[at], xs[child] = xs[child], xs[at]
            at = child

    for i in reversed(range(len(xs) // 2)):
        sift(i, len(xs))
    for end in reversed(range(1, len(xs))):
        xs[0], xs[end] = xs[end], xs[0]
        sift(0, end)
    return xs


def counting(xs):
    counts = [0] * (max(xs) + 1)
    for x in xs:
        counts[x] += 1
    return [x for x, n in enumerate(counts) for _ in range(n)]


def radix(xs):
    place = 1
    while place <= max(xs):
        buckets = [[] for _ in range(10)]
        for x in xs:
            buckets[x // place % 10].append(x)
        xs[:] = [x for b in buckets for x in b]
        place *= 10
    return xs


random.seed(5)
numbers = [random.randrange(100) for _ in range(12)]
for sort in bubble, insertion, merge, quick, heap, counting, radix:
    mine = numbers[:]
    result = sort(mine)
    print(sort.__name__, result == sorted(numbers), mine)
