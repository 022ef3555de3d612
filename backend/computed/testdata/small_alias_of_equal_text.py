import random
grid = [[0, 0], [0, 0]]
row = grid[0]
row = random.choice(grid[1:])
row[0] = 7
print(grid)
