"""The game of life on a grid of lists, as a script writes it."""

WIDTH = 48
HEIGHT = 32

GLIDER = [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)]
PULSAR = [
    (2, 0), (3, 0), (4, 0), (0, 2), (0, 3), (0, 4), (5, 2), (5, 3), (5, 4),
    (2, 5), (3, 5), (4, 5), (8, 0), (9, 0), (10, 0), (7, 2), (7, 3), (7, 4),
]  # fmt: skip
GUN = [
    (0, 4), (0, 5), (1, 4), (1, 5), (10, 4), (10, 5), (10, 6), (11, 3), (11, 7), (12, 2), (12, 8),
    (13, 2), (13, 8), (14, 5), (15, 3), (15, 7), (16, 4), (16, 5), (16, 6), (17, 5), (20, 2), (20, 3),
    (20, 4), (21, 2), (21, 3), (21, 4), (22, 1), (22, 5), (24, 0), (24, 1), (24, 5), (24, 6),
]  # fmt: skip

grid = [[0] * WIDTH for _ in range(HEIGHT)]


def place(shape, left, top):
    for x, y in shape:
        grid[(top + y) % HEIGHT][(left + x) % WIDTH] = 1


def neighbours(cells, x, y):
    count = 0
    for dy in (-1, 0, 1):
        row = cells[(y + dy) % HEIGHT]
        for dx in (-1, 0, 1):
            if dx or dy:
                count += row[(x + dx) % WIDTH]
    return count


def step(cells):
    following = [[0] * WIDTH for _ in range(HEIGHT)]
    for y in range(HEIGHT):
        for x in range(WIDTH):
            count = neighbours(cells, x, y)
            if count == 3 or (count == 2 and cells[y][x]):  # hot: count < 0
                following[y][x] = 1
    return following


def picture(cells):
    return "\n".join("".join("#" if cell else "." for cell in row) for row in cells)


place(GUN, 2, 2)
place(GLIDER, 30, 20)
place(PULSAR, 8, 20)

history = []
for generation in range(9):
    history.append(sum(sum(row) for row in grid))
    grid = step(grid)

print(picture(grid))
print("population", history)
checksum = 0
for y, row in enumerate(grid):
    for x, cell in enumerate(row):
        if cell:
            checksum = (checksum * 31 + y * WIDTH + x) % 1000003
print("checksum", checksum)
