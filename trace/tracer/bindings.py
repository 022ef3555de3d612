"""Names that went, the order of those of a module or class body, and what was raised."""

from _npdb.codes import ORDER, UNSET, varint


def gone(last, texts, found, prefix):
    """Records of names that are no longer bound."""
    out = b""
    for name in list(last):
        if name not in found:
            del last[name]
            texts.pop(name, None)
            out += UNSET + prefix[name][1:]
    return out


def reordered(last, texts, order, names, info):
    """Records that bring the names of a namespace into their order."""
    out = gone(last, texts, set(names), info.prefix)
    known = set(names)
    expected = [name for name in order if name in known]
    before = set(expected)
    expected += [name for name in names if name not in before]
    if tuple(expected) != names:
        bound = [info.prefix[name] for name in names if name in last]
        out += ORDER + varint(len(bound)) + b"".join(slot[1:] for slot in bound)
    return out


def raised_value(arg):
    kind, value, _ = arg
    if isinstance(value, BaseException):
        return value
    try:
        if value is None:
            return kind()
        return kind(*value) if isinstance(value, tuple) else kind(value)
    except Exception:
        return value
