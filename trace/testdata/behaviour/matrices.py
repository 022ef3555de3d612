# Matrices: product, determinant, transpose, Gauss, spiral, rotation, Pascal.
from fractions import Fraction


class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]

    def __matmul__(self, other):
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*other.rows)] for r in self.rows])

    def __getitem__(self, at):
        return self.rows[at[0]][at[1]]

    def __setitem__(self, at, value):
        self.rows[at[0]][at[1]] = value

    def __repr__(self):
        return "\n".join(" ".join(map(str, r)) for r in self.rows)

    def minor(self, i, j):
        return Matrix([r[:j] + r[j + 1 :] for k, r in enumerate(self.rows) if k != i])

    def determinant(self):
        if len(self.rows) == 1:
            return self[0, 0]
        return sum((-1) ** j * x * self.minor(0, j).determinant() for j, x in enumerate(self.rows[0]))


def gauss(rows):
    rows = [[Fraction(x) for x in r] for r in rows]
    n = len(rows)
    for i in range(n):
        pivot = next(k for k in range(i, n) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(n):
            if k != i:
                rows[k] = [x - rows[k][i] * y for x, y in zip(rows[k], rows[i])]
    return [str(r[-1]) for r in rows]


def spiral(rows):
    out = []
    while rows:
        out += rows.pop(0)
        rows = [list(r) for r in zip(*rows)][::-1]
    return out


def pascal(n):
    triangle = [[1]]
    while len(triangle) < n:
        last = triangle[-1]
        triangle.append([1] + [a + b for a, b in zip(last, last[1:])] + [1])
    return triangle


m = Matrix([[1, 2], [3, 4]])
m[0, 1] = 5
print(m @ m, m.determinant(), Matrix([[2, 0, 1], [1, 3, 2], [1, 1, 4]]).determinant(), sep="\n")
print(gauss([[2, 1, 5], [1, -3, -1]]), spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), pascal(5))
