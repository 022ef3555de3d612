# Comprehensions with side effects, walrus, nesting, at module level and in functions.
log = []
rows = [[n * m for m in range(3)] for n in range(2)]
pushed = [log.append(n) for n in range(3)]
last = [(y := n, log.append(y)) for n in log[:2]]
table = {k: log for k in "ab"}
table["a"].append("table")
found = {log.pop() for _ in range(2)}
total = sum(log.pop(0) or 1 for _ in range(2))
mixed = [(log.append(i), [log.append(j) for j in range(i)])[0] for i in range(3)]


def build(n):
    mine = []
    grid = [[mine.append((x, y)) or 0 for x in range(n)] for y in range(n)]
    fs = [lambda: mine.append(i) for i in range(2)]
    [f() for f in fs]
    while (k := len(mine)) > 5:
        mine.pop()
    return grid, k, {i: mine for i in range(2)}


grid, k, both = build(2)
both[0].append("both")
grid[0][0] = grid
rows[1] += rows[0]
copies = [row[:] for row in rows]
copies[0][0] = "copy"
print(rows, log, last, found, total, grid[1], k, both[1])
