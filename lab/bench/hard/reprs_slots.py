"""A grid of cells with slots and a repr of their own."""

import zlib


class Cell:
    __slots__ = ("row", "column", "alive")

    def __init__(self, row, column):
        self.row, self.column, self.alive = row, column, (row * 3 + column) % 4 == 0

    def __repr__(self):
        return "#" if self.alive else "."


class Grid:
    def __init__(self, size):
        self.size = size
        self.cells = [[Cell(r, c) for c in range(size)] for r in range(size)]

    def around(self, cell):
        count = 0
        for r in (-1, 0, 1):
            for c in (-1, 0, 1):
                if (r or c) and self.cells[(cell.row + r) % self.size][(cell.column + c) % self.size].alive:
                    count += 1  # hot: count < 0
        return count

    def step(self):
        changed = [cell for row in self.cells for cell in row if cell.alive != (self.around(cell) in (2, 3))]
        for cell in changed:
            cell.alive = not cell.alive
        return len(changed)

    def __repr__(self):
        return "\n".join("".join(map(repr, row)) for row in self.cells)


grid = Grid(9)
steps = [grid.step() for _ in range(3)]
print("checksum", zlib.crc32(repr(steps).encode()))
