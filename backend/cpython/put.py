def put(old, new, deep):
    """Changes a container in place to equal new, or returns new if that is not possible."""
    if type(old) is not type(new):
        return new
    if type(old) is list:
        if deep:
            new = [put(a, b, deep) for a, b in zip(old, new)] + new[len(old) :]
        old[:] = new
        return old
    if type(old) is dict:
        if deep:
            new = {k: put(old[k], v, deep) if k in old else v for k, v in new.items()}
        for k in [k for k in old if k not in new]:
            del old[k]
        old.update(new)
        if list(old) != list(new):
            old.clear()
            old.update(new)
        return old
    if type(old) is set:
        old &= new
        old |= new
        return old
    return new
