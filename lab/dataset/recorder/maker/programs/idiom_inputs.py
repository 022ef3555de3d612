"""Values and literals for the idioms: arguments of each type, and constants that depend
on them."""

import builtins
import keyword
import random

from . import words

MODULES = ("re", "operator", "itertools", "functools", "math", "bisect", "heapq", "copy")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SOME = ("apple", "banana", "cat", "dog", "hello", "world", "python", "tree", "level", "noon", "data", "red", "blue",
        "green", "alpha", "beta", "foo", "bar", "baz", "mississippi", "test", "key", "stone", "river", "anna", "kayak",
        "mango", "pear", "zebra", "lemon", "one", "two", "three", "sun", "moon", "book", "queen", "Paris", "Tom")
SEPARATORS = (" ", ",", "-", "_", ":", ";", "/", ".", "|", ", ", "=", "+", "--", "\n", "*", "#", "&")

TAGS = tuple("a b c x y z total sum count n yes no odd even upper lower digit rest other vowels left right hi lo key ok bad "
             "evens odds alpha num pos neg first last".split())

# Placeholders for another value of a type.
OTHERS = {"ASTR": "s", "AINTS": "l", "AWORDS": "w", "ADICT": "d", "AMAP": "m", "AINT": "i"}


def show(value):
    """Returns a value as a literal."""
    return repr(value)


def word(rng):
    if rng.random() < 0.7:
        return words.word(rng)
    return rng.choice(SOME)


def free_name(rng):
    """Returns an identifier that is not one of the usual ones."""
    name = words.name(rng) if rng.random() < 0.6 else word(rng).lower()
    good = name.isidentifier() and name.isascii() and not keyword.iskeyword(name) and not hasattr(builtins, name) and name not in MODULES
    return name if good and len(name) < 11 else "val"


def gibberish(rng, low=1, high=14):
    length = rng.randint(low, high)
    style = rng.random()
    if style < 0.45:
        few = rng.random() < 0.4
        alphabet = rng.sample(LETTERS, rng.randint(2, 5)) if few else LETTERS
    elif style < 0.6:
        alphabet = LETTERS + LETTERS.upper()
    elif style < 0.75:
        alphabet = LETTERS[:8] + "0123456789"
    elif style < 0.85:
        alphabet = LETTERS[:10] + LETTERS[:6].upper() + "012789 _-.,!?"
    elif style < 0.93:
        alphabet = "ab" + rng.choice("xyzAB*-# ")
    else:
        alphabet = "!@#$%&*()_+-=[]{};:,.<>?/ aB1"
    return "".join(rng.choice(alphabet) for _ in range(length))


def sentence(rng):
    parts = [word(rng) if rng.random() < 0.8 else gibberish(rng, 1, 5) for _ in range(rng.randint(2, 4))]
    text = " ".join(parts)
    if rng.random() < 0.3:
        text = text.capitalize()
    if rng.random() < 0.3:
        text += rng.choice(".!?")
    if rng.random() < 0.15:
        text = text.replace(" ", "  ", 1)
    return text[:30]


def integer(rng):
    style = rng.random()
    if style < 0.6:
        return rng.randint(0, 12)
    if style < 0.8:
        return rng.randint(-10, 60)
    if style < 0.95:
        return rng.randint(-50, 200)
    return rng.randint(0, 9999)


def string(rng, hint=None):
    """Returns a string of the kind that `hint` names, or of any kind."""
    kind = hint or rng.choice(("word", "word", "gibberish", "gibberish", "gibberish", "sentence", "number", "joined",
                               "edge", "repeat", "case", "mixed"))
    if hint is None and rng.random() < 0.12:
        return words.string(rng)[:30]
    if kind == "word":
        return word(rng) if rng.random() < 0.7 else word(rng) + rng.choice(("", "s", "ing", "_", " ")) + word(rng)[:8]
    if kind == "gibberish":
        return gibberish(rng)
    if kind == "sentence":
        return sentence(rng)
    if kind == "number":
        style = rng.random()
        digits = str(rng.randint(0, 10 ** rng.randint(1, 6)))
        if style < 0.6:
            return digits
        return rng.choice(("-" + digits, "0" + digits, digits + ".5", digits + rng.choice(LETTERS), " " + digits, "+" + digits))
    if kind == "bits":
        return "".join(rng.choice("01") for _ in range(rng.randint(1, 8)))
    if kind == "joined":
        sep = rng.choice(SEPARATORS)
        return sep.join(rng.choice((word(rng), gibberish(rng, 0, 3), str(integer(rng)))) for _ in range(rng.randint(1, 4)))
    if kind == "edge":
        return rng.choice(("", "", " ", "a", "A", "0", "-", "  ", "\n", "aa", "ß", "é", "ab", "Z", "\t", "!?"))
    if kind == "repeat":
        return rng.choice(("", word(rng)[:3])) + gibberish(rng, 1, 2) * rng.randint(2, 4) + rng.choice(("", "x", word(rng)[:3]))
    if kind == "runs":
        return "".join(rng.choice("aabbcxyz1") * rng.randint(1, 3) for _ in range(rng.randint(1, 5)))
    if kind == "case":
        return "".join(c.upper() if rng.random() < 0.4 else c for c in rng.choice((word(rng), gibberish(rng), sentence(rng))))
    if kind == "mixed":
        base = list(rng.choice((word(rng), gibberish(rng, 2, 8))))
        for _ in range(rng.randint(1, 3)):
            base.insert(rng.randint(0, len(base)), rng.choice(" .,!-_#1230?*"))
        return "".join(base)
    if kind == "brackets":
        return "".join(rng.choice("()()[]{}" if rng.random() < 0.85 else "ab+1") for _ in range(rng.randint(1, 9)))
    if kind == "nested":
        out, depth = "", 0
        for _ in range(rng.randint(2, 9)):
            choice = rng.random()
            if choice < 0.35:
                out += "("
                depth += 1
            elif choice < 0.7 and depth:
                out += ")"
                depth -= 1
            else:
                out += rng.choice("abxy1")
        return out + ")" * (depth if rng.random() < 0.7 else 0)
    if kind == "pairs":
        outer, inner = rng.choice(((";", "="), (",", ":"), ("&", "="), (",", "="), (" ", "=")))
        return outer.join(rng.choice((word(rng)[:5], rng.choice(LETTERS))) + rng.choice((inner, inner, inner, inner, ""))
                          + rng.choice((str(rng.randint(0, 30)), word(rng)[:4])) for _ in range(rng.randint(1, 4)))
    if kind == "numbers":
        sep = rng.choice((",", " ", ", ", ";", "-"))
        return sep.join(str(integer(rng)) if rng.random() < 0.9 else rng.choice(("x", "", "4.5", "1a")) for _ in range(rng.randint(1, 5)))
    if kind == "sum":
        return "".join(str(rng.randint(0, 20)) + rng.choice("+-+-*") for _ in range(rng.randint(1, 3))) + str(rng.randint(0, 9))
    if kind == "postfix":
        depth, out = 0, []
        for _ in range(rng.randint(3, 7)):
            if depth < 2 or rng.random() < 0.5:
                out.append(str(rng.randint(1, 9)))
                depth += 1
            else:
                out.append(rng.choice("+-*"))
                depth -= 1
        while depth > 1:
            out.append(rng.choice("+-*"))
            depth -= 1
        return " ".join(out)
    if kind == "roman":
        return "".join(rng.choice("IVXLC" if rng.random() < 0.95 else "Mz") for _ in range(rng.randint(1, 5)))
    if kind == "moves":
        return "".join(rng.choice("UDLR" if rng.random() < 0.5 else "LRUDx") for _ in range(rng.randint(1, 8)))
    if kind == "snake":
        return rng.choice(("_", "_", "-", "__")).join(word(rng) for _ in range(rng.randint(1, 3)))[:28]
    if kind == "camel":
        return "".join(word(rng)[:5].capitalize() for _ in range(rng.randint(1, 4)))
    raise KeyError(kind)


def length(rng):
    """Returns a random number of elements for a collection."""
    style = rng.random()
    if style < 0.07:
        return 0
    if style < 0.14:
        return 1
    return rng.randint(2, 7) if style < 0.9 else rng.randint(8, 12)


class Pool:
    """Makes arguments and records their contents, so that constants can depend on them."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.strings = []
        self.integers = []
        self.keys = []

    def remember(self, value):
        if isinstance(value, str):
            self.strings.append(value)
        elif isinstance(value, (int, float)):
            self.integers.append(value)
        elif isinstance(value, dict):
            for key, item in value.items():
                self.keys.append(key)
                self.remember(item)
        elif value is not None:
            for item in value:
                self.remember(item)

    def value(self, letter, hint=None):
        """Returns an argument of the type."""
        value = self.make(letter, hint)
        self.remember(value)
        return value

    def key(self):
        rng = self.rng
        style = rng.random()
        if self.keys and style < 0.15:
            return rng.choice(self.keys)
        if style < 0.5:
            return rng.choice(LETTERS)
        return word(rng)[:8] if style < 0.85 else gibberish(rng, 1, 4)

    def ints(self):
        rng = self.rng
        count, style = length(rng), rng.random()
        if style < 0.25:
            values = [rng.randint(0, 4) for _ in range(count)]
        elif style < 0.35:
            values = list(range(rng.randint(0, 3), rng.randint(0, 3) + count))
        else:
            values = [integer(rng) for _ in range(count)]
        if rng.random() < 0.15:
            values.sort(reverse=rng.random() < 0.3)
        if values and rng.random() < 0.25:
            values.insert(rng.randint(0, len(values)), rng.choice(values))
        return values[:12]

    def make(self, letter, hint=None):
        rng = self.rng
        if letter == "s":
            if hint and rng.random() < 0.85:
                return string(rng, hint)
            return string(rng)
        if letter == "l":
            return self.ints()
        if letter == "i":
            return integer(rng) if rng.random() < 0.8 else rng.randint(100, 99999)
        if letter == "f":
            return rng.choice((integer(rng) / 2, round(rng.uniform(-5, 50), 2), rng.randint(0, 9) + 0.5, float(integer(rng))))
        if letter == "b":
            return rng.random() < 0.5
        if letter == "w":
            if rng.random() < 0.1:
                return [one[:20] for one in words.string_list(rng)][:7]
            values = [rng.choice((word(rng), gibberish(rng, 0, 5), string(rng, "edge"), gibberish(rng, 1, 3), rng.choice("abc")))
                      for _ in range(min(length(rng), 7))]
            if values and rng.random() < 0.3:
                values.append(rng.choice(values))
            return values
        if letter == "d":
            return {self.key(): integer(rng) for _ in range(min(length(rng), 6))}
        if letter == "m":
            return {self.key(): rng.choice((word(rng), gibberish(rng, 0, 4), self.key())) for _ in range(min(length(rng), 5))}
        if letter == "g":
            if rng.random() < 0.5:
                return {self.key(): [rng.randint(0, 9) for _ in range(rng.randint(0, 3))] for _ in range(rng.randint(0, 4))}
            nodes = rng.sample(LETTERS[:9], rng.randint(2, 5))
            return {node: [rng.choice(nodes) for _ in range(rng.randint(0, 2))] for node in nodes}
        if letter == "p":
            return [(self.key(), integer(rng)) for _ in range(min(length(rng), 5))]
        if letter == "x":
            width = rng.randint(1, 4)
            ragged = rng.random() < 0.15
            return [[rng.randint(0, 9) if rng.random() < 0.9 else -rng.randint(1, 9) for _ in range(rng.randint(0, 3) if ragged else width)]
                    for _ in range(rng.randint(0 if ragged else 1, 4))]
        if letter == "a":
            return [self.anything(rng.random() < 0.2) for _ in range(min(length(rng), 6))]
        if letter == "n":
            names = [self.key() for _ in range(2)]
            return {self.key(): {name: integer(rng) for name in names[:rng.randint(0, 2)]} for _ in range(rng.randint(1, 3))}
        if letter == "r":
            fields = rng.choice((("name", "age"), ("id", "score"), ("item", "qty"), ("name", "n"), ("k", "v")))
            return [{fields[0]: self.key(), fields[1]: rng.randint(0, 40)} if rng.random() < 0.93 else {fields[0]: self.key()}
                    for _ in range(rng.randint(0, 4))]
        raise KeyError(letter)

    def anything(self, deep):
        rng = self.rng
        style = rng.randrange(9)
        if deep:
            return [self.anything(False) for _ in range(rng.randint(0, 3))]
        if style < 3:
            return integer(rng)
        if style < 5:
            return string(rng, rng.choice(("word", "edge", "number", "gibberish")))[:8]
        return rng.choice((None, True, False, 2.5, -1.0, 0, "", (1, 2), "x", [0]))

    def char(self):
        rng = self.rng
        if self.strings and rng.random() < 0.65:
            text = rng.choice(self.strings)
            if text:
                return rng.choice(text)
        return rng.choice(LETTERS) if rng.random() < 0.7 else rng.choice("AEXZ0159 -_.,!#*")

    def piece(self):
        rng = self.rng
        if self.strings and rng.random() < 0.55:
            text = rng.choice(self.strings)
            if text:
                at = rng.choice((0, rng.randrange(len(text)), max(len(text) - 2, 0)))
                return text[at:at + rng.randint(1, 3)]
        return rng.choice((word(rng)[:4], gibberish(rng, 1, 3), self.char()))

    def literal(self, kind):
        """Returns a constant of the kind, and the names that it could have if it
        becomes a parameter (or None)."""
        rng = self.rng
        if kind == "CHAR":
            return self.char(), ("char", "c", "ch", "letter", "target", "old", "x", "sub")
        if kind == "STR":
            return self.piece(), ("sub", "prefix", "suffix", "target", "old", "pattern", "part", "t", "value", "s2")
        if kind == "NEW":
            return rng.choice((self.char(), gibberish(rng, 1, 2), "", rng.choice("-_*#.X"), word(rng)[:4])), ("new", "repl", "fill", "to", "value", "y")
        if kind == "CHARS":
            style = rng.random()
            if style < 0.35:
                return rng.choice(("aeiou", "aeiouAEIOU", ".,!?", "0123456789", "abc", " \t", "-_", "xyz", " -", "13579", "([{", "+-*/")), None
            if self.strings and style < 0.8:
                text = "".join(self.strings)
                chosen = [rng.choice(text) for _ in range(rng.randint(1, 4))] if text else ["a"]
                return "".join(dict.fromkeys(chosen)), ("chars", "allowed", "letters", "vowels", "delim", "bad")
            return gibberish(rng, 1, 4), ("chars", "allowed", "letters", "keep")
        if kind == "SEP":
            if self.strings and rng.random() < 0.6:
                found = [sep for sep in SEPARATORS if any(sep in text for text in self.strings)]
                if found:
                    return rng.choice(found), ("sep", "delimiter", "delim", "separator")
                if rng.random() < 0.5:
                    return self.char(), ("sep", "char", "delimiter")
            return rng.choice(SEPARATORS), ("sep", "delimiter", "delim", "separator")
        if kind == "JOIN":
            return rng.choice((" ", "", ",", "-", ", ", "_", "|", "+", "/", ":", "", "::", ".", "\n", "#", "ab")), ("sep", "glue", "joiner", "delim")
        if kind == "WORD":
            return rng.choice((word(rng), gibberish(rng, 1, 6), self.piece())), ("word", "other", "name", "default")
        if kind == "TAG":
            return rng.choice(TAGS), None
        if kind == "FILL":
            return rng.choice("*-0 .#_x=~+ "), ("fill", "pad", "char")
        if kind == "NUM":
            return rng.choice((1, 1, 2, 2, 3, 3, 4, 5)), ("n", "k", "num", "size", "step", "m", "limit", "count")
        if kind == "MOD":
            return rng.choice((2, 2, 2, 3, 3, 4, 5, 7, 10)), ("n", "k", "m", "mod", "base", "divisor")
        if kind == "IDX":
            return rng.choice((0, 0, 1, 1, 2, 2, 3, 4, 5, -1, -1, -2, -3)), ("i", "index", "pos", "start", "idx", "ind", "n")
        if kind == "WIDTH":
            return rng.randint(2, 14), ("width", "n", "size", "length", "w")
        if kind == "BIG":
            return rng.choice((10, 7, 20, 50, 100, 12, 26, 97, 9, 11)), ("limit", "n", "m", "cap", "top")
        if kind == "INT":
            if self.integers and rng.random() < 0.5:
                return rng.choice(self.integers) + rng.choice((0, 0, 0, 1, -1)), ("n", "target", "x", "value", "limit", "elem", "k")
            return integer(rng), ("n", "target", "x", "value", "limit", "threshold", "k")
        if kind == "KEY":
            if self.keys and rng.random() < 0.6:
                return rng.choice(self.keys), ("key", "k", "name", "target")
            return self.key(), ("key", "k", "name", "target")
        if kind == "LIST":
            return [rng.randint(-3, 9) for _ in range(rng.randint(0, 4))], ("other", "extra", "more", "others", "b")
        if kind == "WORDS":
            return [rng.choice((word(rng), self.piece(), gibberish(rng, 1, 3))) for _ in range(rng.randint(1, 4))], ("words", "stop", "others", "names", "extra")
        if kind == "TABLE":
            keys = [self.char() for _ in range(rng.randint(1, 4))]
            return {key: rng.choice((rng.choice("xyzXYZ01*-"), self.char(), "")) for key in keys}, ("table", "mapping", "trans", "codes")
        if kind == "DICT":
            return {self.key(): integer(rng) for _ in range(rng.randint(1, 3))}, ("other", "extra", "update", "defaults", "d2")
        raise KeyError(kind)
