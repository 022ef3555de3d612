"""Valid but pointless functions: several values of several types that change in turn.

They have no purpose from which a model could guess the result, so it has to execute each
operation.
"""

import re

from . import idiom_inputs as inputs
from .idiom_core import EXPRESSIONS, NAMES, OUT, PARAMS, Context, parse, pick

# Statements that change a variable of the type. $z is another variable of any type.
CHANGES = {
    "s": [parse(text) for text in r"""
        $v = $ss{$v}
        $v = $ss{$v}
        $v = $ss{$v}
        $v += $STR
        $v += $AS
        $v = $STR + $v
        $v = $AS + $v
        $v = $AS.join($AW)
        $v = $AS.join([$AS, $STR, $v])
        $v *= $NUM % 3 + 1
        $v = $v.replace($AS, $STR)
        $v = $v.replace($STR, $AS)
        $v = $v[$AI % 5:]
        $v = $v[:$AI]
        $v = $v[$IDX:$AI]
        $v = $v.strip($AS)
        $v = $v.lstrip($STR)
        $v = $v.ljust($AI % 10, $FILL)
        $v = $v.removeprefix($AS)
        $v = str($AI) + $v
        $v = ''.join($AW)
        $v = $AW[0] if $AW else $v
        $v = max($v, $AS)
        $v, $AS = $AS, $v
        $v = f'{$v}{$AI}'
        $v = $v or $AS
        $v = $v if $sp{$v} else $AS
        $v = $AW.pop() if $AW else $v
        $v = $v.center(len($v) + $NUM, $FILL)
    """.strip().splitlines()],
    "i": [parse(text) for text in r"""
        $v = $ii{$v}
        $v = $ii{$v}
        $v += $NUM
        $v -= $AI
        $v += len($AS)
        $v = $v * $NUM % 100
        $v = $si{$AS}
        $v += $si{$AS}
        $v = $li{$AL}
        $v += $li{$AL}
        $v //= $MOD
        $v %= $MOD
        $v = len($AW) - $v
        $v = $AL[$v % len($AL)] if $AL else $v
        $v = $AL.pop() if $AL else $NUM
        $v, $AI = $AI, $v + 1
        $v = $AD.get($KEY, $v)
        $v = $AS.find($STR)
        $v = max($v, len($AS))
        $v = -$v
    """.strip().splitlines()],
    "l": [parse(text) for text in r"""
        $v.append($AI)
        $v.append($INT)
        $v.insert($AI, $INT)
        $v.insert($IDX, $AI)
        $v.extend([$AI, $NUM])
        $v.extend($AL)
        $v.reverse()
        $v.sort()
        $v.sort(key=lambda $x: $ii{$x})
        $v = $ll{$v}
        $v = $ll{$v}
        $v = $ll{$v}
        $v += [len($AS)]
        $v = $v[$AI:] + $v[:$AI]
        $v = $v[:$NUM]
        $v = sorted($v, reverse=True)
        del $v[$IDX:]
        del $v[::$NUM]
        $v[$IDX:$IDX] = [$AI]
        $v[:$NUM] = []
        $v = $sl{$AS}
        $v = [$x for $x in $v if $x != $AI]
        $v.remove($INT1) if $INT1 in $v else $v.append($INT1)
        $v = $v * 2
        $AL = $v
        $v = list($AD.values())
    """.strip().splitlines()],
    "w": [parse(text) for text in r"""
        $v.append($AS)
        $v.append($STR)
        $v.insert($IDX, $AS)
        $v.insert($AI, $STR)
        $v.extend($AS)
        $v.extend([$AS, $STR])
        $v += $AS.split($SEP)
        $v = $ww{$v}
        $v = $ww{$v}
        $v = $sw{$AS}
        $v = $sw{$AS}
        $v.reverse()
        $v.sort()
        $v.sort(key=len)
        $v = $v[::-1]
        $v = list($AD)
        $v = [$ss{$w} for $w in $v]
        $v = [$w for $w in $v if $sp{$w}]
        $v.remove($STR1) if $STR1 in $v else $v.append($STR1)
        $v = $v[$AI % 4:]
        del $v[$IDX:]
        $v = sorted(set($v))
    """.strip().splitlines()],
    "d": [parse(text) for text in r"""
        $v[$AS] = $AI
        $v[$KEY] = $AI
        $v[$STR] = len($v)
        $v[$KEY1] = $v.get($KEY1, 0) + $NUM
        $v[$AS] = $v.get($AS, $INT)
        $v.pop($KEY, $INT)
        $v.pop($AS, None)
        $v.setdefault($AS, $AI)
        $v.setdefault($KEY, $INT)
        $v.update({$AS: $NUM})
        $v.update($DICT)
        $v = $dd{$v}
        $v = $dd{$v}
        $v = $sd{$AS}
        $v = {**$v, $STR: $AI}
        $v = dict.fromkeys($AS, $AI)
        $v = dict(zip($AW, $AL))
        $v |= {$KEY: len($AS)}
        $v.popitem() if $v else $v.update({$KEY: $INT})
    """.strip().splitlines()],
}
TESTS = {"s": "sp", "i": "ip", "l": "lp", "w": "wp", "d": "dp"}
STARTS = {"s": ("''", "WORD", "STR"), "i": ("0", "INT", "NUM", "1"), "l": ("[]", "LIST", "LIST", "LIST"), "w": ("[]", "WORDS", "WORDS"), "d": ("{}", "DICT", "DICT")}


class Odd:
    """Writes one pointless body."""

    def __init__(self, rng, difficulty):
        self.rng = rng
        self.context = Context(rng, difficulty, 0)
        self.variables = []   # (name, type)

    def other(self, letter, name):
        """Returns a variable of the type other than `name`, or, if there is none,
        `name` or a literal."""
        known = [one for one, kind in self.variables if kind == letter and one != name] or \
                [one for one, kind in self.variables if kind == letter]
        if known:
            return self.rng.choice(known)
        return {"s": lambda: inputs.show(self.context.pool.piece()), "i": lambda: str(self.rng.randint(0, 6))}.get(letter, lambda: None)()

    def statement(self, only=None):
        """Returns a statement that changes one variable."""
        rng, context = self.rng, self.context
        for _ in range(12):
            name, letter = rng.choice(self.variables)
            if only and letter not in only:
                continue
            text = pick(rng.choice(CHANGES[letter]), rng)
            fits = True
            for kind in "SIWLD":
                mark = "$A" + kind
                if re.search(rf"\{mark}\b", text):
                    value = self.other(kind.lower(), name)
                    if value is None or "{" in value or "}" in value or "$" in value or (not value.isidentifier() and (mark + " =" in text or mark + "," in text)):
                        fits = False
                        break
                    text = re.sub(rf"\{mark}\b", lambda found: value, text)
            if not fits:
                continue
            before = set(context.taken)
            context.current = name
            text = context.fill(text.strip(), name, {})
            context.release(before)
            return text
        return "pass"

    def test(self):
        rng, context = self.rng, self.context
        name, letter = rng.choice(self.variables)
        before = set(context.taken)
        context.current = name
        text = context.expand(rng.choice(EXPRESSIONS[TESTS[letter]]), name)
        context.release(before)
        return text

    def piece(self, indent, depth):
        """Returns the lines of a statement, which may be compound (a loop or a
        condition)."""
        rng, context = self.rng, self.context
        pad = " " * indent
        style = rng.random()
        if depth == 0 or style < 0.55:
            return [pad + self.statement()]
        if style < 0.75:
            lines = [f"{pad}if {self.test()}:"] + self.piece(indent + 4, depth - 1)
            if rng.random() < 0.2:
                lines += [f"{pad}elif {self.test()}:"] + self.piece(indent + 4, 0)
            if rng.random() < 0.5:
                lines += [f"{pad}else:"] + self.piece(indent + 4, 0)
            return lines
        walked = [(name, letter) for name, letter in self.variables if letter in "slwd"]
        if style < 0.92 and walked:
            name, letter = rng.choice(walked)
            letter_of = "i" if letter == "l" else "s"
            one = context.fresh(NAMES["x" if letter == "l" else "w"])
            if letter == "d" or rng.random() < 0.3:
                source = f"list({name})"
            else:
                source = f"{name}[:{rng.randint(2, 5)}]" if rng.random() < 0.7 else name
            self.variables.append((one, letter_of))
            body = []
            for _ in range(rng.randint(1, 2)):
                body += self.piece(indent + 4, depth - 1)
            if rng.random() < 0.15:
                body += [f"{pad}    if {self.test()}:", f"{pad}        {rng.choice(('break', 'continue'))}"]
                body += self.piece(indent + 4, 0)
            self.variables.remove((one, letter_of))
            return [f"{pad}for {one} in {source}:"] + body
        if style < 0.97:
            one = context.fresh(NAMES["i"])
            self.variables.append((one, "i"))
            body = self.piece(indent + 4, depth - 1) + (self.piece(indent + 4, 0) if rng.random() < 0.5 else [])
            self.variables.remove((one, "i"))
            return [f"{pad}for {one} in range({rng.choice(('1, ', '', ''))}{rng.randint(2, 5)}):"] + body
        error = rng.choice(("ValueError", "IndexError", "KeyError", "(IndexError, KeyError)", "Exception"))
        risky = {"s": "{0}.index({1})", "l": "{0}.remove({2})", "d": "del {0}[{1}]", "w": "{0}.remove({1})", "i": "{0} = 10 // {0}"}
        name, letter = rng.choice(self.variables)
        act = risky[letter].format(name, inputs.show(context.pool.piece()), rng.randint(0, 5))
        error = {"i": "ZeroDivisionError", "d": "KeyError"}.get(letter, "ValueError") if rng.random() < 0.8 else error
        return [f"{pad}try:", f"{pad}    {act}"] + self.piece(indent + 4, 0) + [f"{pad}except {error}:"] + self.piece(indent + 4, 0)

    def write(self, difficulty):
        """Returns the lines of a body. The context already contains the parameters."""
        rng, context = self.rng, self.context
        for _ in range(rng.choice((1, 1, 2, 2, 3))):
            letter = rng.choice("sssllwdi")
            name = context.fresh(PARAMS[letter])
            context.parameters.append((name, context.pool.value(letter), letter))
            self.variables.append((name, letter))
        lines = []
        for _ in range(rng.choice((0, 1, 1, 2))):
            letter = rng.choice("sliwd")
            name = context.fresh(OUT[letter])
            start = rng.choice(STARTS[letter])
            given, kind = rng.choice([(one, kind) for one, _, kind in context.parameters])
            if rng.random() < 0.65 and kind + letter in EXPRESSIONS:
                context.current = given
                start = context.expand(rng.choice(EXPRESSIONS[kind + letter]), given)
            elif start.isupper():
                start = context.literal(start)
            lines.append(f"    {name} = {start}")
            self.variables.append((name, letter))
        for _ in range(rng.randint(1, 3 + int(5 * difficulty))):
            lines += self.piece(4, 2 if difficulty > 0.4 else 1)
        if rng.random() < 0.15:
            flat = all(line[:5].strip() and not line.endswith(":") for line in lines)
            at = rng.randrange(len(lines) + 1) if flat else len(lines)
            lines.insert(at, f"    if {self.test()}:\n        return {rng.choice(self.variables)[0]}")
        context.lines += lines
        names = [name for name, _ in self.variables]
        style = rng.random()
        body = "\n".join(lines)
        changed = [name for name in names if len(re.findall(rf"^ +(?:del )?{name}(?:\b.*[^=!<>]=[^=]|\.|\[)", body, re.M)) > 1]
        last = rng.choice(changed or names) if rng.random() < 0.85 else rng.choice(names)
        if style < 0.6:
            return last
        if style < 0.8 and len(names) > 1:
            return ", ".join(rng.sample(names, 2))
        letter = dict(self.variables)[last]
        other = rng.choice("slwi" if letter in "slw" else "sl")
        return context.expand(rng.choice(EXPRESSIONS[letter + other]), last)
