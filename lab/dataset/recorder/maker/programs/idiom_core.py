"""The template language in which idioms are written, and the registry of idioms.

An idiom turns a value of one type into a value of another. Types have one letter:

    s str                 l list of int          w list of str        i int
    d dict str -> int     m dict str -> str      g dict str -> list   b bool
    p list of (str, int)  x list of lists of int a list of anything   n dict of dicts
    r list of dicts       t set of str           e set of int      f float

In a template

    «a¦b¦c»      one of the alternatives (they nest)
    $v, $o       the incoming value, the outgoing name
    $i $c $x …   a fresh name of a role (see NAMES); the same placeholder is the same name
    $CHAR $NUM … a literal of a kind (see literals in idiom_inputs), drawn anew each time, or
                 kept if it ends with a digit; sometimes it becomes a parameter instead
    $ss{EXPR}    a random expression idiom of that signature applied to EXPR
"""

import ast
import random
import re

from . import idiom_inputs as inputs

EXPRESSIONS: dict[str, list] = {}
BLOCKS: dict[str, list] = {}

NAMES = {
    "i": "i j k idx pos index p i j i".split(),
    "j": "j k m q jj end right hi".split(),
    "c": "c ch char letter x s a c ch char".split(),
    "x": "x n num item el e v value a i elem val y number z".split(),
    "y": "y b other m q prev second right nxt".split(),
    "w": "w word s item part token x p t name el string piece".split(),
    "k": "k key name a x kk field label".split(),
    "u": "v val value b y amount u item".split(),
    "n": "count cnt n total c num result counter ans k size".split(),
    "a": "total acc s result sum_ tot ans r value current score".split(),
    "t": "tmp temp t current cur part buf chunk aux last prev".split(),
    "h": "seen visited found used known done marks memo cache".split(),
    "q": "stack queue st pending todo work q buffer".split(),
    "lo": "lo left start low l begin first".split(),
    "hi": "hi right end high r stop last".split(),
    "fl": "flag ok changed found swapped inside upper state started".split(),
    "fn": "helper g step inner go process h convert apply transform check rec fn walk solve build".split(),
    "e": "e err exc ex error".split(),
    "tab": "table mapping trans lookup codes m subs rules".split(),
    "row": "row r line sub group xs".split(),
}
OUT = {
    "s": "result res out output new new_text ans r ret string t new_string final u text s line".split(),
    "l": "result res out new_list a ret ans output b r new_lst values nums acc xs lst new_nums".split(),
    "w": "result res out words parts tokens pieces items names ls ret ans chunks fields lst strs".split(),
    "d": "d counts freq result res dic out table dct counter tally index info occurrences".split(),
    "m": "mapping result d pairs new_dict config opts m res table dic".split(),
    "g": "groups result d buckets by_key index grouped res positions".split(),
    "i": "total count n result res ans k cnt value m score size r num".split(),
    "b": "ok flag valid result found is_valid same good check b".split(),
    "p": "pairs items result ranked entries lst runs out pairs2 ordered".split(),
    "x": "rows matrix grid result chunks groups m res parts table windows".split(),
    "a": "items result out mixed lst values data res flat".split(),
    "n": "data result nested tree d info db res".split(),
    "r": "records rows people result out items entries".split(),
    "t": "seen unique chars letters result common s uniq".split(),
    "e": "seen unique result nums_set common distinct uniq vals".split(),
    "f": "mean avg ratio result x value rate res score".split(),
}
PARAMS = {
    "s": "text s string text s txt word value st line sentence str1 message data".split(),
    "l": "nums lst array numbers nums arr values l a xs data items elements list1".split(),
    "w": "words strings lst names items array tokens strs lines parts ls text".split(),
    "d": "d dic counts dictionary data scores dct mapping stock prices ages".split(),
    "m": "d mapping dic names config table aliases dict1 values".split(),
    "g": "groups graph d data dic tree children".split(),
    "i": "n num number x value m k count n".split(),
    "b": "flag ok strict b reverse".split(),
    "p": "pairs items lst entries records data tuples".split(),
    "x": "matrix grid rows m lists array board table".split(),
    "a": "items lst values data array xs args stuff".split(),
    "n": "data d db tree config inventory".split(),
    "r": "records rows people items data users".split(),
    "t": "chars letters s allowed names".split(),
    "e": "nums s seen values ids".split(),
    "f": "x value price ratio rate amount".split(),
}

PLACE = re.compile(r"\$([a-z]{2})\{([^{}]*)\}|\$([A-Z]+)(\d*)|\$([a-z]+)(\d*)")
KEYWORDS = frozenset("if in is or and not for while def class return pass break continue else del try as from "
                     "lambda None True False sum len list dict str int set min max sorted input map filter".split())


def parse(text):
    """Returns the tree of a template: strings and lists of alternatives."""
    sequence, stack = [[]], []
    at = 0
    for found in re.finditer("[«¦»]", text):
        if found.start() > at:
            sequence[-1].append(text[at:found.start()])
        at = found.end()
        mark = found.group()
        if mark == "«":
            stack.append([])
            sequence.append([])
        elif mark == "¦":
            stack[-1].append(sequence.pop())
            sequence.append([])
        else:
            alternatives = stack.pop()
            alternatives.append(sequence.pop())
            sequence[-1].append(alternatives)
    if stack:
        raise ValueError("« is not closed in " + text)
    if at < len(text):
        sequence[0].append(text[at:])
    return sequence[0]


def pick(tree, rng):
    """Returns a random text that the tree of a template can expand to."""
    parts = []
    for node in tree:
        parts.append(node if isinstance(node, str) else pick(rng.choice(node), rng))
    return "".join(parts)


def expressions(signature, text):
    """Registers one expression idiom per line."""
    for line in text.strip().splitlines():
        line = line.strip()
        if line:
            EXPRESSIONS.setdefault(signature, []).append(parse(line))


def blocks(signature, text, hint=None, times=1):
    """Registers block idioms, separated by lines ---. A line === separates a helper's
    definition from its use.

    hint is the kind of string that the idiom needs if it comes first; times makes it
    more frequent.
    """
    for block in re.split(r"^---+$", text, flags=re.M):
        block = block.strip("\n")
        if not block.strip():
            continue
        definition, _, use = block.rpartition("\n===\n")
        entry = (parse(definition) if definition else None, parse(use), hint)
        BLOCKS.setdefault(signature, []).extend([entry] * times)


def atomic(text):
    """Returns whether `.method` or `[index]` can follow an expression that is not in
    parentheses."""
    if text.isidentifier():
        return True
    if text[:1] in "'\"" or text[:1].isdigit() or text[:1] == "-":
        return False
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return False
    return isinstance(node, (ast.Name, ast.Call, ast.Subscript, ast.Attribute))


class Context:
    """The state of a program that is being written: its names, its lines, and the
    literals that depend on the input."""

    def __init__(self, rng: random.Random, difficulty: float, quota: int):
        self.rng = rng
        self.difficulty = difficulty
        self.taken = set(KEYWORDS)
        self.parameters = []      # (name, value, type letter or '')
        self.quota = quota        # how many more parameters may be added
        self.scope = []           # (name, type)
        self.pool = inputs.Pool(rng)
        self.lines = []
        self.prelude = []         # definitions of helper functions, which come first in the module
        self.promote = True

    def fresh(self, choices):
        """Returns a name that is not in use."""
        rng = self.rng
        for _ in range(4):
            name = inputs.free_name(rng) if rng.random() < 0.04 else rng.choice(choices)
            if name not in self.taken:
                self.taken.add(name)
                return name
        for name in choices:
            if name not in self.taken:
                self.taken.add(name)
                return name
        stem, number = rng.choice(choices), 2
        while f"{stem}{number}" in self.taken:
            number += 1
        name = f"{stem}{number}"
        self.taken.add(name)
        return name

    def parameter(self, value, choices, letter=""):
        """Adds a parameter to the program, with value as its argument. Returns the
        parameter's name."""
        name = self.fresh(choices)
        self.parameters.append((name, value, letter))
        self.quota -= 1
        if letter:
            self.scope.append((name, letter))
        return name

    def literal(self, kind):
        """Returns a literal of the kind as text, or the name of a new parameter with
        that value."""
        rng = self.rng
        if kind in inputs.OTHERS:
            letter = inputs.OTHERS[kind]
            known = [name for name, one in self.scope if one == letter and name != self.current]
            if known and rng.random() < 0.6:
                return rng.choice(known)
            value = self.pool.value(letter)
            if self.promote and self.quota > 0:
                return self.parameter(value, PARAMS[letter], letter)
            return inputs.show(value)
        value, choices = self.pool.literal(kind)
        if choices and self.promote and self.quota > 0 and rng.random() < 0.45:
            return self.parameter(value, choices)
        return inputs.show(value)

    def release(self, before):
        """Frees the names that were taken since `before`, except those of parameters."""
        self.taken = before | {name for name, _, _ in self.parameters}

    def expand(self, tree, value, bound=None):
        """Returns the text of a template that is applied to the expression `value`."""
        return self.fill(pick(tree, self.rng), value, {} if bound is None else bound)

    def fill(self, text, value, bound):
        bound["v"] = value

        def place(found):
            signature, inner, kind, digits, role, number = found.groups()
            if signature:
                inner = PLACE.sub(place, inner)
                return self.fill(pick(self.rng.choice(EXPRESSIONS[signature]), self.rng), inner, {})
            if kind:
                if not digits:
                    return self.literal(kind)
                if kind + digits not in bound:
                    bound[kind + digits] = self.literal(kind)
                return bound[kind + digits]
            key = role + number
            if key not in bound:
                bound[key] = self.fresh(NAMES[role])
            return bound[key]

        return PLACE.sub(place, text)

    current = ""
