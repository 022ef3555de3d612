def fill(table, rows):
    for n in range(rows):
        table[f"key {n}"] = [n, n * n, {"half": n / 2}]


text = "a long text that goes on and on, " * 12
numbers = list(range(400))
table = {}
fill(table, 30)
wide = "日本語のテキスト 🙂 é ü " * 6
empty = []
pairs = list(zip(range(12), "abcdefghijkl"))
nothing = None
done = True
