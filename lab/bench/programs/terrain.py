"""A matrix of objects with __slots__: water runs over a terrain."""

import random


class Cell:
    __slots__ = ("column", "height", "kind", "row", "water")

    def __init__(self, row, column, height):
        self.row = row
        self.column = column
        self.height = height
        self.water = 0
        self.kind = "rock" if height > 70 else "soil"

    @property
    def level(self):
        return self.height + self.water


class Terrain:
    __slots__ = ("cells", "drained", "size", "turns")

    def __init__(self, size, source):
        self.size = size
        self.drained = 0
        self.turns = 0
        self.cells = []
        for row in range(size):
            line = []
            for column in range(size):
                slope = (row + column) * 40 // size
                line.append(Cell(row, column, slope + source.randrange(30)))
            self.cells.append(line)

    def around(self, cell):
        found = []
        if cell.row > 0:
            found.append(self.cells[cell.row - 1][cell.column])
        if cell.row < self.size - 1:
            found.append(self.cells[cell.row + 1][cell.column])
        if cell.column > 0:
            found.append(self.cells[cell.row][cell.column - 1])
        if cell.column < self.size - 1:
            found.append(self.cells[cell.row][cell.column + 1])
        return found

    def rain(self, source):
        for _ in range(self.size):
            cell = self.cells[source.randrange(self.size)][source.randrange(self.size)]
            cell.water += 5

    def flow(self):
        self.turns += 1
        moved = 0
        for line in self.cells:
            for cell in line:
                if cell.water == 0:
                    continue
                lowest = cell
                for other in self.around(cell):
                    if other.level < lowest.level:
                        lowest = other
                if lowest is not cell:  # hot: moved < 0
                    amount = max(1, min(cell.water, (cell.level - lowest.level) // 2))
                    cell.water -= amount
                    lowest.water += amount
                    moved += amount
                elif cell.row == 0 or cell.column == 0:
                    self.drained += cell.water
                    cell.water = 0
        return moved


def lakes(terrain):
    deepest = None
    wet = 0
    for line in terrain.cells:
        for cell in line:
            if cell.water:
                wet += 1
                if deepest is None or cell.water > deepest.water:
                    deepest = cell
    return wet, deepest


def main():
    source = random.Random(31)
    terrain = Terrain(30, source)
    moved = 0
    for _ in range(36):
        terrain.rain(source)
        moved += terrain.flow()
    wet, deepest = lakes(terrain)
    print("moved", moved, "drained", terrain.drained, "wet", wet)
    print("deepest at", deepest.row, deepest.column, deepest.water, deepest.kind)
    checksum = moved
    for line in terrain.cells:
        for cell in line:
            checksum = (checksum * 31 + cell.level) % 1000003
    print("checksum", checksum)


if __name__ == "__main__":
    main()
