"""Finds the shortest way out of a maze by breadth-first search.

What to look for: `frontier`, the queue of cells still to visit, and `came`,
which remembers from where each cell was reached. Break where the goal is
found, then go backwards and watch the search shrink to its first cell.
"""

from collections import deque

MAZE = """\
#########
#S..#...#
#.#.#.#.#
#.#...#.#
#.#####.#
#......G#
#########
"""

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def find(rows, mark):
    """Return the (row, column) of the cell that shows mark."""
    for row, line in enumerate(rows):
        column = line.find(mark)
        if column >= 0:
            return row, column
    raise ValueError(f"the maze has no {mark}")


def neighbours(rows, cell):
    """Yield the open cells beside cell."""
    for down, right in STEPS:
        row, column = cell[0] + down, cell[1] + right
        if rows[row][column] != "#":
            yield row, column


def search(rows, start, goal):
    """Return the shortest path from start to goal as a list of cells."""
    came = {start: None}
    frontier = deque([start])
    while frontier:
        cell = frontier.popleft()
        if cell == goal:
            return trail(came, goal)
        for beside in neighbours(rows, cell):
            if beside not in came:
                came[beside] = cell
                frontier.append(beside)
    return []


def trail(came, cell):
    """Follow the cells back to the start and return them in walking order."""
    path = []
    while cell is not None:
        path.append(cell)
        cell = came[cell]
    return path[::-1]


def main():
    rows = MAZE.split("\n")[:-1]
    path = search(rows, find(rows, "S"), find(rows, "G"))
    canvas = [list(line) for line in rows]
    for row, column in path[1:-1]:
        canvas[row][column] = "*"
    print("\n".join("".join(line) for line in canvas))
    print(f"{len(path) - 1} steps")


if __name__ == "__main__":
    main()
