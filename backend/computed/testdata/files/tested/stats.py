def mean(values):
    if not values:
        return 0
    return sum(values) / len(values)


def scale(values, top):
    most = max(values)
    out = []
    for v in values:
        out.append(v * top / most)
    return out
