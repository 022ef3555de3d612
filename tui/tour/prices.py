# The mean price of what was sold. It fails, long after the mistake.


def load(text):
    rows = []
    for line in text.splitlines():
        name, price, count = line.split(",")
        rows.append((name, float(price), int(count or 0)))
    return rows


def mean_price(rows):
    total = 0
    n = 0
    for name, price, count in rows:
        total += price * count
        n += count
    return total / n


print(mean_price(load("pen,1.20,\nink,9.99,")))
