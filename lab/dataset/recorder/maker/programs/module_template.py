"""A small template language for scripts, in which each rendering is another variant.

Inline, between « and »:
    «a¦b¦c»      one of these (may nest)
    «X=a¦b»      the same, stored as X and written; «X» writes it again
    «#1-9»       an integer; «#N=1-9» stored as N
    «w» «W» «s» «g»   a word's repr, a bare capital word, a sentence's, any string's
    «ints» «strs» «pos» «dict» «mat»   literals; «ints:5» of so many elements
    «$NAME»      «x» written below as stored

Lines:
    %let X = a¦b      stores a choice without writing it
    %alt … %or … %end         one of the blocks
    %any … %and … %end        all, in any order (blank line between them)
    %some … %and … %end       some of them, in any order; %some 0.3 says how likely each
    %opt [p] … %end           perhaps
    %if X=a … %else … %end    if X was stored as a
    %use                      the driver follows
    %raises                   the following code may raise
    %imports                  the lines above it are imports

After that, names of the table SYNONYMS are renamed throughout, if the new one is free.
"""

import functools
import re

from . import words

SYNONYMS = {
    "total": "acc s sm tot running sum_", "result": "res out ans r ret answer", "entries": "data xs rows records lst seq",
            "current": "cur now node_ this at", "left": "lo low l a_ begin",
    "right": "hi high r_ b_ stop_", "number": "num n_ x k val", "text": "s string line src raw", "name": "label key_ title ident who",
            "amount": "value_ n_ sum_ qty delta money", "found": "hit match_ got",
    "word": "w token term part", "letter": "ch c char", "target": "goal wanted want t_", "stack": "st pile lifo todo", "queue": "q pending todo fifo",
            "node": "n_ cur p item_", "depth": "level d_ lvl",
    "row": "r_ line_ rw", "grid": "board field_ cells m_", "seen": "visited done known", "graph": "edges_ g_ net adj",
            "start": "src_ begin_ origin first_", "tokens": "toks parts pieces", "position": "pos_ idx at_",
    "answer": "res_ a_ verdict", "best": "top_ winner record", "value": "v_ val data_ x_", "message": "msg info note", "items_": "things goods list_",
            "balance": "funds money cash", "history": "log_ past trail", "price": "cost fee rate_",
    "child": "sub kid c_", "parent": "up owner_ above", "size": "length n_items width_", "digit": "d_ dg", "counter": "cnt tally ctr",
            "helper": "inner aux go", "table": "mapping lookup index_", "step": "stride inc_ by", "limit": "cap maximum bound",
    "fn": "func f_ callback", "event": "ev signal evt", "state": "mode status st_", "other": "o_ that rhs", "index": "i_ pos ix",
            "pairs": "couples links zipped", "score": "points mark grade_", "factor": "scale mult times_", "base": "b_ root ground",
            "output": "out_ buf_ lines_",
}
_RENAME = re.compile(r"(?<![\w'\"])(" + "|".join(SYNONYMS) + r")\b(?!\s*\()")
_CHOICE = re.compile("«([^«»]*)»")


class Template:
    """One rendering: the stored choices, and whether the script may raise."""

    def __init__(self, rng):
        self.rng, self.kept, self.raises = rng, {}, False

    def inline(self, text):
        if "«" not in text:
            return text
        # Stored choices must be made from left to right, innermost first.
        while True:
            m = _CHOICE.search(text)
            if not m:
                return text
            text = text[:m.start()] + self._one(m.group(1)) + text[m.end():]

    def _one(self, body):
        rng = self.rng
        m = re.match(r"#(?:(\w+)=)?(-?\d+)-(\d+)$", body)
        if m:
            text = str(rng.randint(int(m.group(2)), int(m.group(3))))
            if m.group(1):
                self.kept[m.group(1)] = text
            return text
        m = re.match(r"([A-Z][A-Z0-9]*)=", body)
        if m:
            text = rng.choice(body[m.end():].split("¦"))
            self.kept[m.group(1)] = text
            return text
        if "¦" in body:
            text = rng.choice(body.split("¦"))
            return self._one(text) if text in ("w", "ints", "strs", "pos", "dict", "mat") else text
        if body in self.kept:
            return self.kept[body]
        what, _, n = body.partition(":")
        n = int(n) if n else None
        if what == "w":
            return repr(words.word(rng).replace("'", "").replace("\\", ""))
        if what == "W":
            return words.word(rng).capitalize() or "Ann"
        if what == "s":
            return repr(words.sentence(rng).replace("'", "").replace("\\", "").replace('"', ""))
        if what == "g":
            return repr(words.string(rng).replace("'", "").replace("\\", "").replace('"', ""))
        if what == "ints":
            return "[" + ", ".join(str(self._int()) for _ in range(n if n is not None else rng.choice((0, 1, 3, 3, 4, 5, 6)))) + "]"
        if what == "pos":
            return "[" + ", ".join(str(rng.randint(1, 30)) for _ in range(n if n is not None else rng.choice((1, 3, 3, 4, 5)))) + "]"
        if what == "strs":
            return "[" + ", ".join(self._one("w") for _ in range(n if n is not None else rng.choice((0, 1, 2, 3, 3, 4)))) + "]"
        if what == "dict":
            return "{" + ", ".join(f"{self._one('w')}: {self._int()}" for _ in range(n if n is not None else rng.choice((1, 2, 3)))) + "}"
        if what == "mat":
            cols = rng.randint(2, 3)
            return "[" + ", ".join("[" + ", ".join(str(rng.randint(-3, 9)) for _ in range(cols)) + "]" for _ in range(n or rng.choice((2, 2, 3)))) + "]"
        return body

    def _int(self):
        rng = self.rng
        return rng.randint(0, 12) if rng.random() < 0.75 else rng.randint(-20, 99)

    def render(self, tree):
        """Returns the lines of a parsed template."""
        rng, out = self.rng, []
        for node in tree:
            if type(node) is str:
                out.append(self.inline(node))
                continue
            kind, arg, blocks = node
            if kind == "let":
                self.kept[arg[0]] = self.inline(rng.choice(_split(arg[1])))
            elif kind == "raises":
                self.raises = True
            elif kind == "alt":
                out += self.render(rng.choice(blocks))
            elif kind == "opt":
                if rng.random() < float(arg or 0.5):
                    out += self.render(blocks[0])
            elif kind == "if":
                name, _, value = arg.partition("=")
                if self.kept.get(name) == value:
                    out += self.render(blocks[0])
                elif len(blocks) > 1:
                    out += self.render(blocks[1])
            else:
                chosen = [b for b in blocks if kind == "any" or rng.random() < float(arg or 0.6)]
                rng.shuffle(chosen)
                for b in chosen:
                    out += self.render(b)
        return out


def _split(text):
    """Splits a text at each ¦ outside « »."""
    parts, depth, last = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "«") - (c == "»")
        if c == "¦" and not depth:
            parts.append(text[last:i])
            last = i + 1
    return parts + [text[last:]]


def _parse(lines, at=0, inside=False):
    """Returns (nodes, index of the line that ended them)."""
    nodes = []
    while at < len(lines):
        line = lines[at]
        bare = line.strip()
        if not bare.startswith("%"):
            nodes.append(line)
            at += 1
            continue
        word, _, arg = bare[1:].partition(" ")
        if word in ("or", "and", "else", "end"):
            return nodes, at
        if word == "let":
            name, _, value = arg.partition(" = ")
            nodes.append(("let", (name.strip(), value), []))
        elif word in ("alt", "any", "some", "opt", "if"):
            blocks = []
            while True:
                block, at = _parse(lines, at + 1, True)
                blocks.append(block)
                if lines[at].strip() == "%end":
                    break
            nodes.append((word, arg, blocks))
        elif word == "raises":
            nodes.append(("raises", None, []))
        else:
            nodes.append(line.strip())
        at += 1
    return nodes, at


@functools.lru_cache(maxsize=None)
def _tree(text):
    return _parse(text.strip("\n").split("\n"))[0]


def render(text, rng):
    """Returns (imports, definitions, driver, whether it may raise) of one variant."""
    t = Template(rng)
    lines = t.render(_tree(text))
    imports = []
    if "%imports" in lines:
        cut = lines.index("%imports")
        imports, lines = [x for x in lines[:cut] if x], lines[cut + 1:]
    cut = lines.index("%use")
    source = rename("\n".join(lines[:cut]).strip("\n") + "\n%use\n" + "\n".join(lines[cut + 1:]), rng)
    defs, _, driver = source.partition("\n%use\n")
    blocks = [b.split("\n") for b in re.split(r"\n\n(?=\S)", re.sub(r"\n{2,}(?=\S)", "\n\n", re.sub(r"\n{3,}", "\n\n", defs)))]
    return imports, [[x for x in b] for b in blocks if any(b)], [x for x in driver.split("\n") if x.strip()], t.raises


def rename(source, rng):
    """Replaces some of the table's names by others, everywhere in the source."""
    present = dict.fromkeys(_RENAME.findall(source))
    all_names = None
    mapping = {}
    for name in present:
        if rng.random() < 0.5:
            continue
        if (name in ("name", "value") and ("Enum" in source or "Stop" in source)) or f"{name}=" in source:
            continue
        new = rng.choice(SYNONYMS[name].split()) if rng.random() < 0.75 else words.name(rng)
        if all_names is None:
            all_names = set(re.findall(r"\w+", source))
        # A name that is also called, or that is the text of a keyword, is not replaced.
        if new in all_names or re.search(rf"\b{name}\s*\(|['\"]{name}\b|\b{name}['\"]", source):
            continue
        all_names.add(new)
        mapping[name] = new
    if not mapping:
        return source
    return re.sub(r"\b(" + "|".join(mapping) + r")\b", lambda m: mapping[m.group(1)], source)
