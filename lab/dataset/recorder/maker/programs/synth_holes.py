"""Holes that depend on the receiver's current value."""

from .synth_core import SPECIAL, Retry
from .synth_names import SEPARATORS
from .synth_values import ELEMENT, key, literal, short_word


def quoted(maker, value):
    """Returns the value as a literal."""
    return literal(value, maker.quote)


def _variable(maker, kind, chance):
    """Returns, sometimes, a variable of the type."""
    if maker.rng.random() < chance:
        names = maker.pool(kind)
        if names:
            return maker.pick(names)
    return None


def _inside(rng, text):
    """Returns a short part of the text."""
    start = rng.randrange(len(text))
    return text[start:start + rng.choice((1, 1, 1, 2, 2, 3))]


def sub(maker, got, _):
    """Returns a string to search for, which occurs in the receiver about half of the
    time."""
    rng, text = maker.rng, got[1]
    named = _variable(maker, "str", 0.3)
    if named and named != got[0]:
        return named
    if isinstance(text, str) and text and rng.random() < 0.55:
        return quoted(maker, _inside(rng, text))
    return quoted(maker, rng.choice((rng.choice("abcdeinorst"), rng.choice(" ,.-_:"), short_word(rng)[:3], key(rng) or "b")))


def sub_there(maker, got, _):
    """Returns a string that occurs in the receiver."""
    text = got[1]
    names = [name for name in maker.pool("str") if maker.env[name] and maker.env[name] in text and name != got[0]]
    if names and maker.rng.random() < 0.5:
        return maker.pick(names)
    if not text:
        raise Retry
    return quoted(maker, _inside(maker.rng, text))


def character(maker, got, _):
    """Returns one character, as a variable or a literal."""
    rng, text = maker.rng, got[1]
    named = _variable(maker, "ch", 0.4)
    if named:
        return named
    if isinstance(text, str) and text and rng.random() < 0.5:
        return quoted(maker, rng.choice(text))
    return quoted(maker, rng.choice("abceiostxyz -_,.!09"))


def chars(maker, got, _):
    """Returns characters to strip, mostly including one of those at the ends."""
    rng, text = maker.rng, got[1]
    found = "".join(rng.sample("abcdesxyz.,-_ !0123", rng.randint(1, 3)))
    if isinstance(text, str) and text and rng.random() < 0.75:
        found = rng.choice((text[0], text[-1], text[-1] + text[0], text[:2], text[-2:])) + (found[:1] if rng.random() < 0.5 else "")
    return quoted(maker, found)


def prefix(maker, got, _):
    return _end(maker, got, False)


def suffix(maker, got, _):
    return _end(maker, got, True)


def _end(maker, got, last):
    rng, text = maker.rng, got[1]
    named = _variable(maker, "str", 0.25)
    if named and named != got[0]:
        return named
    if isinstance(text, str) and text and rng.random() < 0.6:
        count = rng.randint(1, min(3, len(text)))
        return quoted(maker, text[-count:] if last else text[:count])
    return sub(maker, got, None)


def index(maker, got, _):
    """Returns an index into the receiver, which is rarely out of range."""
    rng, length = maker.rng, len(got[1])
    names = [name for name in maker.pool("int") if -length <= maker.env[name] < length]
    if names and rng.random() < 0.45:
        chosen = maker.pick(names)
        if rng.random() < 0.1 and maker.env[chosen] + 1 < length:
            return f"{chosen} + 1"
        return chosen if rng.random() < 0.85 or maker.env[chosen] - 1 < -length else f"{chosen} - 1"
    if not length:
        raise Retry
    if rng.random() < 0.06:
        return f"len({got[0]}) // 2"
    return str(rng.choice((0, -1, rng.randrange(length), rng.randrange(length), -rng.randint(1, length))))


def stretch(maker, got, _):
    """Returns a slice: either end open or not, negative, past the end, with steps."""
    rng = maker.rng
    length = len(got[1]) if got[1] is not None else 5

    def bound():
        named = _variable(maker, "int", 0.25)
        if named and abs(maker.env[named]) <= length + 2:
            return named
        return str(rng.choice((1, 1, 2, 3, -1, -1, -2, rng.randint(0, length + 1), -rng.randint(1, length + 1))))
    roll = rng.random()
    if roll < 0.28:
        return f"{bound()}:"
    if roll < 0.52:
        return f":{bound()}"
    if roll < 0.70:
        low = rng.randint(0, max(0, length - 1))
        return f"{low}:{rng.randint(low, length + 1)}" if rng.random() < 0.6 else f"{bound()}:{bound()}"
    if roll < 0.82:
        return "::-1"
    if roll < 0.90:
        return f"::{rng.choice((2, 2, 3, -2))}"
    if roll < 0.96:
        return f"{bound()}::{rng.choice((-1, 2, -2))}"
    return f"{bound()}:{bound()}:{rng.choice((-1, 2, 1, -2))}" if rng.random() < 0.8 else ":"


def dict_key(maker, got, _):
    """Returns a key, which is in the receiver about half of the time."""
    return _key(maker, got, 0.5)


def dict_key_there(maker, got, _):
    return _key(maker, got, 1.0)


def _key(maker, got, chance):
    rng, kind = maker.rng, "int" if got[2] == "dis" else "str"
    there = rng.random() < chance
    names = [name for name in maker.pool(kind) if not there or maker.env[name] in got[1]]
    if names and rng.random() < 0.5:
        return maker.pick(names)
    if there:
        if not got[1]:
            raise Retry
        return quoted(maker, rng.choice(list(got[1])))
    return str(rng.randint(0, 12)) if kind == "int" else quoted(maker, key(rng))


def element(maker, got, _):
    return _element(maker, got, 0.55)


def element_there(maker, got, _):
    return _element(maker, got, 1.0)


def _element(maker, got, chance):
    rng, kind = maker.rng, ELEMENT[got[2]]
    there = rng.random() < chance
    names = [name for name in maker.pool(kind) if not there or maker.env[name] in got[1]]
    if names and rng.random() < 0.55:
        return maker.pick(names)
    if there:
        if not got[1]:
            raise Retry
        return quoted(maker, rng.choice(sorted(got[1])))
    if chance == 1.0:
        raise Retry
    return quoted(maker, rng.randint(0, 12) if kind == "int" else key(rng))


def between(maker, got, bounds):
    low, high = bounds.split(":")
    return str(maker.rng.randint(int(low), int(high)))


def not_zero(maker, got, _):
    """Returns a divisor: a small literal, or a variable that is currently not zero."""
    rng = maker.rng
    names = [name for name in maker.pool("int") if maker.env[name]]
    if names and rng.random() < 0.35:
        return maker.pick(names)
    return str(rng.choice((2, 2, 2, 3, 3, 4, 5, 7, 10, 10, rng.randint(2, 30), -rng.randint(2, 5)))) if rng.random() < 0.95 else "-3"


def width(maker, got, _):
    """Returns a width close to the receiver's length."""
    rng = maker.rng
    length = len(got[1]) if isinstance(got[1], str) else 4
    named = _variable(maker, "int", 0.2)
    if named and 0 <= maker.env[named] <= 24 and not maker.in_loop:
        return named
    if rng.random() < 0.1:
        return f"len({got[0]}) + {rng.randint(1, 4)}"
    return str(max(0, length + rng.randint(-1, 6)))


def separator(maker, got, _):
    """Returns a separator. It mostly occurs in the receiver."""
    rng, text = maker.rng, got[1]
    named = _variable(maker, "ch", 0.15) or _variable(maker, "str", 0.06)
    if named and maker.env[named] and named != got[0]:
        return named
    found = rng.choice(SEPARATORS)
    if isinstance(text, str) and text:
        present = [one for one in SEPARATORS if one and one in text]
        if present and rng.random() < 0.7:
            found = rng.choice(present)
        found = found or rng.choice((" ", text[len(text) // 2]))
    elif got[0] is not None and not found and rng.random() < 0.4:
        found = ","
    return quoted(maker, found)


def fill(maker, got, _):
    return quoted(maker, maker.rng.choice("*-_ .0#x=+!a"))


def compare(maker, got, _):
    return maker.rng.choice(("==", "!=", "<", ">", "<=", ">=", "<", ">"))


def less(maker, got, _):
    return maker.rng.choice(("<", "<=", "<", ">"))


def at_most(maker, got, _):
    return maker.rng.choice(("<", "<=", "<"))


def set_operator(maker, got, _):
    return maker.rng.choice("&|-^")


def piece(maker, got, _):
    """Returns a text before a value in an f-string."""
    return maker.rng.choice(("", "", "n", "x=", "item ", "<", "[", "total: ", "#", "a-", "key_", "v"))


def between_values(maker, got, _):
    return maker.rng.choice((" ", "-", ":", ", ", "_", "", "/", "=", "|", "-> ", "x", ")", " of "))


def truth(maker, got, _):
    """Returns a condition that is currently true."""
    for _ in range(4):
        source = maker.expr("bool", 2)
        if maker.value(source):
            return source
    raise Retry


def key_function(maker, got, _):
    """Returns a key for sorted, sort, min and max."""
    rng, kind = maker.rng, ELEMENT.get(got[2], "int")
    name = rng.choice(("x", "v", "item", "n", "s", "a", "k"))
    if kind == "int":
        body = rng.choice((f"-{name}", f"{name} % {rng.randint(2, 5)}", f"abs({name} - {rng.randint(1, 9)})", f"({name} % 2, {name})",
                           f"{name} * {name}", f"str({name})", f"(-{name} % {rng.randint(2, 4)}, -{name})"))
        return rng.choice(("abs", "str")) if rng.random() < 0.25 else f"lambda {name}: {body}"
    body = rng.choice((f"len({name})", f"{name}[-1:]", f"(len({name}), {name})", f"{name}[::-1]", f"{name}.lower()",
                       f"{name}.count('a')", f"-len({name})", f"(-len({name}), {name})"))
    return rng.choice(("len", "str.lower")) if rng.random() < 0.3 else f"lambda {name}: {body}"


SPECIAL.update({
    "sub": sub, "sub+": sub_there, "ch": character, "chars": chars, "prefix": prefix, "suffix": suffix, "idx": index,
    "slice": stretch, "key": dict_key, "key+": dict_key_there, "elem": element, "elem+": element_there, "n": between,
    "nz": not_zero, "w": width, "sep": separator, "fill": fill, "cmp": compare, "lt": less, "le": at_most, "setop": set_operator,
    "p": piece, "sp": between_values, "yes": truth, "keyfn": key_function,
})
