names = []
listeners = {}
changes = 0


def add(name):
    global changes
    names.append(name)
    changes += 1
    for f in listeners.values():
        f(name)


def reset():
    global names
    names = []
    listeners["reset"] = names.append
