def ratio(part, whole):
    share = part / whole
    return share


def report(rows):
    for name, part, whole in rows:
        share = ratio(part, whole)
        print(name, share)


report([("north", 3, 4), ("south", 5, 0)])
