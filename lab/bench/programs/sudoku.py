"""Sudoku by backtracking, and queens on a board."""

PUZZLE = """
53..7....
6..195...
.98....6.
8...6...3
4..8.3..1
7...2...6
.6....28.
...419..5
....8..79
"""


class Board:
    def __init__(self, text):
        self.cells = []
        for line in text.split():
            self.cells.append([0 if char == "." else int(char) for char in line])
        self.tried = 0
        self.rows = [set(row) - {0} for row in self.cells]
        self.columns = [set() for _ in range(9)]
        self.boxes = [set() for _ in range(9)]
        for y in range(9):
            for x in range(9):
                if self.cells[y][x]:
                    self.columns[x].add(self.cells[y][x])
                    self.boxes[self.box(x, y)].add(self.cells[y][x])

    @staticmethod
    def box(x, y):
        return y // 3 * 3 + x // 3

    def allowed(self, x, y):
        taken = self.rows[y] | self.columns[x] | self.boxes[self.box(x, y)]
        return [digit for digit in range(1, 10) if digit not in taken]

    def put(self, x, y, digit):
        self.tried += 1
        self.cells[y][x] = digit
        self.rows[y].add(digit)
        self.columns[x].add(digit)
        self.boxes[self.box(x, y)].add(digit)

    def clear(self, x, y):
        digit = self.cells[y][x]
        self.cells[y][x] = 0
        self.rows[y].discard(digit)
        self.columns[x].discard(digit)
        self.boxes[self.box(x, y)].discard(digit)

    def empty(self):
        for y, row in enumerate(self.cells):
            for x, digit in enumerate(row):
                if digit == 0:
                    return x, y
        return None

    def solve(self):
        place = self.empty()
        if place is None:
            return True
        x, y = place
        for digit in self.allowed(x, y):
            self.put(x, y, digit)  # hot: x < 0
            if self.solve():
                return True
            self.clear(x, y)
        return False

    def __str__(self):
        return "\n".join(" ".join(str(digit) for digit in row) for row in self.cells)


def queens(size, row=0, placed=None, found=None):
    if placed is None:
        placed, found = [], []
    if row == size:
        found.append(tuple(placed))
        return found
    for column in range(size):
        safe = True
        for other, taken in enumerate(placed):
            if taken == column or abs(taken - column) == row - other:
                safe = False
                break
        if safe:
            placed.append(column)
            queens(size, row + 1, placed, found)
            placed.pop()
    return found


def main():
    board = Board(PUZZLE)
    assert board.solve()
    print(board)
    solutions = queens(6)
    print("tried", board.tried, "queens", len(solutions), solutions[0])
    checksum = board.tried
    for row in board.cells:
        for digit in row:
            checksum = (checksum * 31 + digit) % 1000003
    for solution in solutions:
        checksum = (checksum * 7 + solution[0]) % 1000003
    print("checksum", checksum)


if __name__ == "__main__":
    main()
