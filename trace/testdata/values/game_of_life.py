# A grid in place, by functions and by an object.
def neighbours(grid, r, c):
    n = 0
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            if (dr or dc) and 0 <= r + dr < len(grid) and 0 <= c + dc < len(grid[0]):
                n += grid[r + dr][c + dc]
    return n


class Life:
    def __init__(self, rows):
        self.rows = rows
        self.generation = 0

    def step(self):
        counts = [[neighbours(self.rows, r, c) for c in range(3)] for r in range(3)]
        for r, row in enumerate(self.rows):
            for c, alive in enumerate(row):
                row[c] = int(counts[r][c] == 3 or alive and counts[r][c] == 2)
        self.generation += 1
        return self


rows = [[0, 1, 0], [0, 1, 0], [0, 1, 0]]
life = Life(rows)
middle = rows[1]
life.step().step()
print(rows, middle, life.generation)
