"""Drills from the table of all public methods of the built-in types, each with its arguments.

Other generators use methods as often as people do. Here a rare method is as frequent as any
other method of its type. Holes in arguments:

    P B       a part of the receiver; something else of its type, short
    S E       how it begins, how it ends, or something else
    C         one character; N a width; I J small numbers
    X L       an element, a list of such; K V a key, a value
"""

import re

from . import words
from .synth_core import Retry
from .synth_names import LOCALS, PARAMETERS
from .synth_values import draw, fits, literal

# For each type, the weight of its drills and its table. A line lists the arguments of one method. R
# is the receiver if it does not come first, and ! precedes a method that changes it.
_BOTH = """
capitalize() | center(N) / center(N, C) | count(P) / count(P, I) / count(P, I, J) | endswith(E) / endswith((E, B))
expandtabs() / expandtabs(I) | find(P) / find(P, I) / find(B) | index(P) / index(P, I) | isalnum() | isalpha() | isascii()
isdigit() | islower() | isspace() | istitle() | isupper() | join(L) | ljust(N) / ljust(N, C) | lower() | lstrip() / lstrip(P)
partition(P) / partition(B) | removeprefix(S) | removesuffix(E) | replace(P, B) / replace(P, B, 1) | rfind(P) / rfind(P, I, J)
rindex(P) | rjust(N) / rjust(N, C) | rpartition(P) / rpartition(B) | rsplit() / rsplit(P) / rsplit(P, 1) | rstrip() / rstrip(P)
split() / split(P) / split(P, 1) | splitlines() / splitlines(True) | startswith(S) / startswith((S, B)) / startswith(S, I)
strip() / strip(P) | swapcase() | title() | upper() | zfill(N)
"""
_TABLES = {
    "by": (9, _BOTH + """
    | decode() / decode('ascii') / decode('latin-1') | hex() / hex('-') / hex(':', 2) | bytes.fromhex('61 62 7A') / bytes.fromhex(R.hex()) | translate(None, P)
    | translate(bytes.maketrans(b'abc', b'xyz')) / translate(bytes.maketrans(b'012', b'ABC'), P)
    """),
    "str": (4, _BOTH + """
    | casefold() | encode() / encode('utf-8') | format(I, B) / '{} {}'.format(R, I) / '{0}-{1}-{0}'.format(R, B) / '{:>{}}'.format(R, N) | '{a}{b}'.format_map({'a': R, 'b': I})
    | isdecimal() | isidentifier() | isnumeric() | isprintable() | str.maketrans('ab', 'xy') / str.maketrans({'a': None, 'e': '3'}) | translate(str.maketrans('aeo', '430', P))
    """),
    "int": (3, """
    as_integer_ratio() | bit_count() | bit_length() | conjugate() | int.from_bytes(R.to_bytes(4, 'big', signed=True), 'big', signed=True) / int.from_bytes(b'\\x01\\x02', 'little')
    is_integer() | to_bytes(4, 'big', signed=True) / to_bytes(4, 'little', signed=True)
    """),
    "float": (2, """
    as_integer_ratio() | conjugate() | float.fromhex('0x1.8p+3') / float.fromhex(R.hex()) / float.fromhex('-0x.4p1') | hex() | is_integer() / (R * 2).is_integer()
    """),
    "li": (2, """
    !append(X) | !clear() | copy() | count(X) | !extend(L) | index(X) | !insert(I, X) | !pop() / !pop(I) / !pop(-1) | !remove(X) | !reverse() | !sort() / !sort(reverse=True) / !sort(key=abs)
    """),
    "dsi": (2, """
    !clear() | copy() | dict.fromkeys(R, I) / dict.fromkeys('abc') | get(K) / get(K, I) | items() | keys() | !pop(K) / !pop(K, None) | !popitem() | !setdefault(K, V)
    !update({K: V}) / !update(a=V) / !update([(K, V)]) | values()
    """),
    "si": (3, """
    !add(X) | !clear() | copy() | difference(L) / difference(L, [X]) | !difference_update(L) | !discard(X) | intersection(L) | !intersection_update(L) | isdisjoint(L) | issubset(L)
    issuperset(L) / issuperset([X]) | !pop() | !remove(X) | symmetric_difference(L) | !symmetric_difference_update(L) | union(L) / union(L, [X]) | !update(L)
    """),
    "ti": (1, """count(X) | index(X)"""),
}
_HOLES = re.compile(r"(?<![\w'\".])[PBSECNIJXLKVR](?![\w'\"])")
_KINDS = {bytes: "by", str: "str", int: "int", bool: "bool", float: "float", list: "ls", tuple: "ts", dict: "dsi", set: "si"}
RAISING = 0.03  # the share of calls that raise and are kept; others are replaced


def _parse(text):
    """Returns a list for each method: the ways to write a call of it."""
    return [[way.strip() for way in one.split(" / ")] for line in text.strip().splitlines() for one in line.split(" | ") if one.strip(" |")]


TABLE = {kind: _parse(text.replace("\n    | ", " | ")) for kind, (_, text) in _TABLES.items()}
_ODDS = {kind: odds for kind, (odds, _) in _TABLES.items()}


def _part(rng, value):
    """Returns a random part of a text or of bytes."""
    if not value:
        return draw(rng, "ch")[:1] if isinstance(value, str) else b"a"
    at = rng.randrange(len(value))
    return value[at : at + rng.choice((1, 1, 1, 2, 3))]


def _other(rng, value):
    return draw(rng, "by")[:3] if isinstance(value, bytes) else draw(rng, "str")[:4]


def _hole(rng, hole, name, value):
    """Returns a value for a hole, which is a letter in the table."""
    text = isinstance(value, (str, bytes))
    if hole == "P":
        return _part(rng, value)
    if hole in "SE":
        if rng.random() < 0.3:
            return _other(rng, value)
        n = rng.randint(1, 3)
        return value[:n] if hole == "S" else value[-n:]
    if hole == "B":
        return _other(rng, value)
    if hole == "C":
        fill = rng.choice("*-. 0_#")
        return fill.encode() if isinstance(value, bytes) else fill
    if hole == "N":
        return len(value) + rng.randint(-1, 6)
    if hole == "I":
        return rng.randint(0, 3)
    if hole == "J":
        return rng.randint(3, 8)
    if hole == "L" and text:
        return [_other(rng, value) for _ in range(rng.randint(1, 3))]
    if hole == "L":
        found = [_hole(rng, "X", name, value) for _ in range(rng.randint(1, 4))]
        return found if not isinstance(value, set) or rng.random() < 0.5 else set(found)
    if hole == "V":
        return rng.randint(0, 20)
    if hole == "K":
        return rng.choice(list(value)) if value and rng.random() < 0.6 else rng.choice("abxyz")
    return rng.choice(list(value)) if value and rng.random() < 0.7 else rng.randint(0, 9)  # the hole X


class _Methods:
    """A receiver, calls of its methods, and the names of the results."""

    def __init__(self, rng, quote):
        self.rng, self.quote = rng, quote
        kind = rng.choices(list(_ODDS), list(_ODDS.values()))[0]
        self.ways = TABLE[kind]
        self.name = rng.choice(PARAMETERS[kind])
        value = draw(rng, kind)
        if kind == "by" and rng.random() < 0.5:
            value = (draw(rng, "str")[:14] or "a b").encode()
        self.given = literal(value, quote)
        self.space = {self.name: value}
        self.lines, self.made = [], []

    def call(self):
        """Adds a line with one more call. Returns whether that was possible."""
        rng, name = self.rng, self.name
        value = self.space[name]
        way = rng.choice(rng.choice(self.ways))
        changes = way[0] == "!"
        source = _HOLES.sub(lambda m: name if m[0] == "R" else literal(_hole(rng, m[0], name, value), self.quote), way.lstrip("!"))
        if source.split("(")[0].isidentifier():
            source = f"{name}.{source}"
        line, fresh = source, None
        before = value.copy() if changes else None
        try:
            found = eval(source, self.space)
            raised = False
        except (ValueError, LookupError, TypeError, OverflowError):
            found, raised = None, True
        if raised and rng.random() > RAISING or not fits(self.space[name]) or not self.worth(found):
            if changes:
                self.space[name] = before
            return False
        if not changes and type(found) is type(value) and rng.random() < 0.3:
            fresh = name
        elif not changes or found is not None or raised:
            fresh = self.fresh(_KINDS.get(type(found), "str"))
        if fresh is not None:
            line = f"{fresh} = {source}"
            self.space[fresh] = found
            if fresh != name:
                self.made.append(fresh)
        self.lines.append(line)
        return not raised

    def worth(self, found):
        """Returns whether a result should be printed: it is short, and the same in every run."""
        return fits(list(found) if isinstance(found, (type({}.keys()), type({}.values()), type({}.items()))) else found)

    def fresh(self, kind):
        free = [one for one in LOCALS[kind] if one not in self.space]
        return free and self.rng.choice(free[:8]) or f"v{len(self.space)}"


def methods(rng, quote):
    """Returns a drill of three to seven calls on one receiver: its lines, and its entry
    (None for a script)."""
    made = _Methods(rng, quote)
    for _ in range(rng.randint(3, 7)):
        for _ in range(6):
            size = len(made.lines)
            if made.call():
                break
            if len(made.lines) > size:  # the call raises, so the program ends there
                return _shape(rng, made, [])
    if not made.lines:
        raise Retry
    shown = [*made.made[-rng.randint(1, 2) :], *([made.name] if any("=" not in one for one in made.lines) else [])] or [made.name]
    return _shape(rng, made, shown)


def _shape(rng, made, shown):
    """Returns the drill as a script, or as a function and a call of it."""
    if rng.random() < 0.4:
        tail = [f"print({', '.join(shown)})"] if shown and rng.random() < 0.6 else []
        return [f"{made.name} = {made.given}", *made.lines, *tail], None
    lines = made.lines + ([f"return {', '.join(shown)}"] if shown else [])
    name = words.function_name(rng)
    return [f"def {name}({made.name}):", *("    " + line for line in lines)], f"{name}({made.given})"
