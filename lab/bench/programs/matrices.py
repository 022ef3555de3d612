"""Matrices as lists of lists: product, transpose, determinant, solution."""

from fractions import Fraction


def make(rows, columns, seed):
    state = seed
    matrix = []
    for _ in range(rows):
        row = []
        for _ in range(columns):
            state = (state * 1103515245 + 12345) % 2147483648
            row.append(state % 19 - 9)
        matrix.append(row)
    return matrix


def identity(size):
    return [[1 if i == j else 0 for j in range(size)] for i in range(size)]


def transpose(matrix):
    return [list(column) for column in zip(*matrix)]


def multiply(a, b):
    result = [[0] * len(b[0]) for _ in a]
    for i in range(len(a)):
        for j in range(len(b[0])):
            total = 0
            for k in range(len(b)):
                total += a[i][k] * b[k][j]
            result[i][j] = total  # hot: total is None
    return result


def reduced(matrix, modulus):
    for row in matrix:
        for j, value in enumerate(row):
            row[j] = value % modulus
    return matrix


def power(matrix, exponent, modulus):
    result = identity(len(matrix))
    while exponent:
        if exponent & 1:
            result = reduced(multiply(result, matrix), modulus)
        matrix = reduced(multiply(matrix, matrix), modulus)
        exponent >>= 1
    return result


def determinant(matrix):
    rows = [[Fraction(value) for value in row] for row in matrix]
    size, sign = len(rows), 1
    result = Fraction(1)
    for i in range(size):
        pivot = next((r for r in range(i, size) if rows[r][i] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != i:
            rows[i], rows[pivot] = rows[pivot], rows[i]
            sign = -sign
        for r in range(i + 1, size):
            factor = rows[r][i] / rows[i][i]
            for c in range(i, size):
                rows[r][c] -= factor * rows[i][c]
        result *= rows[i][i]
    return result * sign


def trace(matrix):
    return sum(matrix[i][i] for i in range(len(matrix)))


def main():
    a, b = make(46, 46, 1), make(46, 46, 2)
    product = multiply(a, b)
    again = transpose(multiply(transpose(b), transpose(a)))
    assert product == again
    third = power(make(12, 12, 3), 37, 10007)
    small = make(10, 10, 4)
    value = determinant(small)
    checksum = 0
    for row in product + third:
        for cell in row:
            checksum = (checksum * 31 + cell) % 1000003
    print("trace", trace(product), trace(third), "determinant", value)
    print("checksum", (checksum + int(value)) % 1000003)


if __name__ == "__main__":
    main()
