"""Other values of the same form: variations of a program's inputs."""

import ast

from . import words
from .words import pick


def vary(rng, value, depth=0):
    """Returns a value of the same type as `value`, either similar or new."""
    kind = type(value)
    if kind is str:
        return vary_string(rng, value)
    if kind is bool:
        return rng.random() < 0.5
    if kind is int:
        return vary_integer(rng, value)
    if kind is float:
        roll = rng.random()
        if roll < 0.4:
            return words.floating(rng)
        return round(value * pick(rng, (0.5, 2, -1, 10, 1.5)) +
                     pick(rng, (0, 0, 1, -0.5)), 3)
    if kind is bytes:
        text = value.decode("latin-1")
        return vary_string(rng, text).encode("latin-1", "replace")
    if kind is list:
        return vary_list(rng, value, depth)
    if kind is tuple:
        # A tuple is more often a record than a sequence, so its length is kept.
        if len(value) > 3 and rng.random() < 0.3:
            return tuple(vary_list(rng, list(value), depth))
        return tuple([vary(rng, item, depth + 1) if rng.random() < 0.6
                      else item for item in value])
    if kind is dict:
        return vary_dict(rng, value, depth)
    if kind in (set, frozenset):
        return kind(vary_list(rng, sorted(value, key=repr), depth))
    return value


def vary_string(rng, text):
    """Returns another string: the same one with an edit, a similar one, or any string."""
    roll = rng.random()
    size = len(text)
    if roll < 0.12 or not size:
        return words.string(rng)
    if roll < 0.22:
        return words.gibberish(rng)
    at = int(rng.random() * size)
    if roll < 0.34:
        return text[:at] + words.char(rng) + text[at + 1:]
    if roll < 0.44:
        return text[:at] + text[at + 1:]
    if roll < 0.54:
        return text[:at] + words.char(rng) + text[at:]
    if roll < 0.62:
        return text[:at] + text[at] + text[at:]
    if roll < 0.68:
        return text[::-1]
    if roll < 0.74:
        letters = list(text)
        rng.shuffle(letters)
        return "".join(letters)
    if roll < 0.79:
        return (text + pick(rng, (" ", "", ",", "-")) + text)[:40]
    if roll < 0.84:
        return text[:at]
    if roll < 0.88:
        return text.swapcase()
    if roll < 0.96:
        # The same pattern of character classes with other characters: '2021-03' ->
        # '7481-95'.
        return "".join([pick(rng, "0123456789") if c.isdigit() else
                        pick(rng, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") if c.isupper()
                        else pick(rng, "abcdefghijklmnopqrstuvwxyz")
                        if c.islower() else c for c in text])
    return pick(rng, (" " + text, text + " ", text + text[-1] * 3))[:40]


def vary_integer(rng, value):
    """Returns an integer that is close to `value` or of similar size."""
    roll = rng.random()
    if roll < 0.35:
        return value + pick(rng, (1, -1, 1, -1, 2, -2, 3))
    if roll < 0.65:
        return int(rng.random() * (2 * abs(value) + 4))
    if roll < 0.7:
        return -value
    if roll < 0.76:
        return value * 2
    if roll < 0.82:
        return value // 2
    if roll < 0.86:
        return pick(rng, (0, 1, -1))
    return words.integer(rng)


def vary_list(rng, items, depth=0):
    """Returns the list with elements changed, added, removed, doubled or moved."""
    if not items:
        return items if rng.random() < 0.5 or depth else \
            words.number_list(rng) if rng.random() < 0.5 else \
            words.string_list(rng)
    out = list(items)
    for _ in range(1 + int(rng.random() * 3)):
        roll = rng.random()
        size = len(out)
        at = int(rng.random() * size)
        if not out:
            break
        if roll < 0.45:
            out[at] = vary(rng, out[at], depth + 1)
        elif roll < 0.57 and size < 11:
            out.insert(at, vary(rng, out[at], depth + 1))
        elif roll < 0.67:
            del out[at]
        elif roll < 0.75 and size < 11:
            out.insert(int(rng.random() * size), out[at])
        elif roll < 0.85:
            other = int(rng.random() * size)
            out[at], out[other] = out[other], out[at]
        elif roll < 0.89:
            out.reverse()
        elif roll < 0.97:
            out = [vary(rng, item, depth + 1) for item in out]
        else:
            out = []
    return out


def vary_dict(rng, mapping, depth=0):
    """Returns the dict with some values and keys changed, or with one entry added or removed."""
    out = {}
    for key, item in mapping.items():
        roll = rng.random()
        if roll < 0.1:
            continue
        if roll < 0.2 and type(key) in (str, int):
            key = vary(rng, key, depth + 1)
        if roll > 0.5:
            item = vary(rng, item, depth + 1)
        out[key] = item
    if mapping and len(out) < 7 and rng.random() < 0.25:
        key, item = pick(rng, list(mapping.items()))
        try:
            out[vary(rng, key, depth + 1)] = vary(rng, item, depth + 1)
        except TypeError:
            pass
    return out


def vary_literal(rng, node):
    """Returns the expression's source with its literal changed, or None if it has none."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return repr(vary(rng, value))


def vary_call(rng, entry, share=0.6):
    """Returns the call `entry` with some of its literal arguments changed."""
    tree = ast.parse(entry, mode="eval").body
    call = tree
    # In list(f(...)) and similar expressions, the innermost call is changed.
    while isinstance(call, ast.Call) and len(call.args) == 1 and \
            isinstance(call.args[0], ast.Call) and not call.keywords:
        call = call.args[0]
    if not isinstance(call, ast.Call):
        return entry
    places = [arg for arg in call.args if not isinstance(arg, ast.Starred)]
    places += [keyword.value for keyword in call.keywords if keyword.arg]
    cuts = []
    for node in places:
        if len(places) == 1 or rng.random() < share:
            new = vary_literal(rng, node)
            if new is not None:
                cuts.append((node.col_offset, node.end_col_offset, new))
    raw = entry.encode()
    for start, end, new in sorted(cuts, reverse=True):
        raw = raw[:start] + new.encode("utf-8", "backslashreplace") + raw[end:]
    return raw.decode()
