# Searching and backtracking: queens, sudoku in small, subsets, hanoi, mazes, primes.
def queens(n, placed=()):
    if len(placed) == n:
        yield placed
        return
    row = len(placed)
    for c in range(n):
        if all(c != pc and abs(c - pc) != row - r for r, pc in enumerate(placed)):
            yield from queens(n, placed + (c,))


def subsets(items, at=0, chosen=None, found=None):
    chosen, found = chosen if chosen is not None else [], found if found is not None else []
    if at == len(items):
        found.append(list(chosen))
        return found
    subsets(items, at + 1, chosen, found)
    chosen.append(items[at])
    subsets(items, at + 1, chosen, found)
    chosen.pop()
    return found


def hanoi(n, a, b, c, moves):
    if n:
        hanoi(n - 1, a, c, b, moves)
        c.append(a.pop())
        moves.append((len(a), len(b), len(c)))
        hanoi(n - 1, b, a, c, moves)


def maze(rows, at=(0, 0), path=()):
    r, c = at
    if not (0 <= r < len(rows) and 0 <= c < len(rows[0])) or rows[r][c] == "#" or at in path:
        return None
    path += (at,)
    if at == (len(rows) - 1, len(rows[0]) - 1):
        return path
    for dr, dc in (0, 1), (1, 0), (0, -1), (-1, 0):
        if found := maze(rows, (r + dr, c + dc), path):
            return found
    return None


def sieve(n):
    flags = bytearray([1]) * (n + 1)
    flags[:2] = b"\0\0"
    for i in range(2, int(n**0.5) + 1):
        if flags[i]:
            flags[i * i :: i] = bytes(len(flags[i * i :: i]))
    return [i for i, f in enumerate(flags) if f]


print(list(queens(5))[:2], len(subsets("abc")))
pegs, moves = [[3, 2, 1], [], []], []
hanoi(3, *pegs, moves)
print(pegs, moves)
print(maze(["..#", "#..", "#.."]), sieve(40))
