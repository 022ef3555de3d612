known = []


def add(animal):
    known.append(animal)
    return len(known)


def all_of(kind):
    return [a for a in known if isinstance(a, kind)]


def summary():
    lines = {}
    for a in known:
        lines[a.name] = a.legs
    return lines
