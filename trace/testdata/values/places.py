# Stores into items and slices, swaps, and what is deleted.
def swap(items, i, j):
    items[i], items[j] = items[j], items[i]
    return items


grid = [[0] * 3 for _ in range(2)]
shallow = [[0] * 2] * 2
shallow[0][1] = 7
row = grid[1]
row[2] = 5
grid[0][0], row[0] = row[2], "swapped"
swap(grid, 0, 1)
items = list(range(6))
also = items
items[1:3] = ["a", "b", "c"]
items[::3] = [None] * len(items[::3])
del items[0], items[-1]
del also[1:2]
items += [items[0]]
items *= 2
items = items + ["new"]
also.append("old")
also[:] = also[::-1]
matrix = {(0, 0): [1], (0, 1): [2]}
matrix[0, 0].append(3)
matrix[0, 1], matrix[1, 1] = matrix[0, 0], matrix[0, 1]
del matrix[0, 0]
a = b = c = []
a.append(1)
b = b + [2]
c += [3]
first, *others = also
others.append("mine")
(x, y), z = grid[0][:2], grid[1]
z[0] = x
x, y = y, x
print(grid, shallow, items, also, matrix, a, b, c, first, others, x, y, z)
