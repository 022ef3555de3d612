"""Fractions in a matrix with a repr of its own."""

import zlib
from fractions import Fraction


class Matrix:
    def __init__(self, rows):
        self.rows = [[Fraction(x) for x in row] for row in rows]

    def solve(self):
        n = len(self.rows)
        for i in range(n):
            pivot = self.rows[i][i]
            self.rows[i] = [x / pivot for x in self.rows[i]]
            for j in range(n):
                factor = self.rows[j][i]
                if j != i and factor:  # hot: factor is None
                    self.rows[j] = [a - factor * b for a, b in zip(self.rows[j], self.rows[i])]
        return [row[-1] for row in self.rows]

    def __repr__(self):
        return "\n".join(" ".join(map(str, row)) for row in self.rows)


for size in (6, 7, 8):
    matrix = Matrix([[Fraction(1, r + c + 1) for c in range(size)] + [1] for r in range(size)])
    answer = matrix.solve()
print("checksum", zlib.crc32(repr((answer[0],)).encode()))
