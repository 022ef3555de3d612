"""One loop over a value with random accumulators, branches and updates; and two chains whose
results are combined."""

import re

from .idiom_core import EXPRESSIONS, NAMES, OUT, PARAMS, parse, pick
from .idiom_joins import JOINS, OTHERWISE


def _table(text):
    return [parse(line.strip()) for line in text.strip().splitlines()]


# Updates of an accumulator ($v) with an element ($b1). $b2 is the index.
TEXT = {
    "i": _table(r"""
        $v += 1
        $v += 1
        $v -= 1
        $v += $NUM
        $v += «len($b1)¦$si{$b1}»
        $v = max($v, $si{$b1})
        $v = 0
        $v = -$v
        $v *= 2
        $v = $v * $MOD % 50 + 1
        $v += $b2
        $v = $b2
        $v ^= $b2 + 1
        $v = $si{$b1} - $v
    """),
    "s": _table(r"""
        $v += $b1
        $v += $b1
        $v += $ss{$b1}
        $v += $cc{$b1[:1]}
        $v = $b1 + $v
        $v = $v[:-1]
        $v = $v[1:] + $b1
        $v += $NEW
        $v = $v.replace($b1, $NEW)
        $v = $v[::-1] + $b1
        $v += str($b2)
        $v += $b1 * $b2
        $v = $v.«upper¦lower¦swapcase¦strip»() + $b1
        $v = $ss{$v}
    """),
    "w": _table(r"""
        $v.append($b1)
        $v.append($b1)
        $v.append($ss{$b1})
        $v.insert(0, $b1)
        $v.insert($b2, $ss{$b1})
        $v += [$b1, $STR]
        $v.extend($b1)
        $v = $v[1:] + [$b1]
        $v.reverse()
        $v = [$b1] + $v
        if $v: $v.pop()
        if $v: $v[-1] += $b1
        if $b1 not in $v: $v.append($b1)
        $v.remove($b1) if $b1 in $v else $v.append($b1)
    """),
    "l": _table(r"""
        $v.append($b2)
        $v.append($si{$b1})
        $v.append(len($b1))
        $v.insert(0, $b2)
        $v.append(len($v))
        $v.append($si{$b1} + sum($v[-1:]))
        if $v: $v.pop(«¦0»)
        if $v: $v[-1] += «1¦$b2¦$NUM»
        $v = $v[-$NUM:] + [$b2]
    """),
    "d": _table(r"""
        $v[$b1] = $v.get($b1, 0) + 1
        $v[$b1] = $v.get($b1, 0) + $b2
        $v[$b1] = $b2
        $v[$b1] = len($v)
        $v[$ss{$b1}] = $si{$b1}
        $v.setdefault($b1, $b2)
        $v.pop($b1, None)
        $v[$STR] = $b2
        $v.update({$b1: $NUM})
        $v[$b1[:1]] = $v.get($b1[-1:], $INT)
    """),
}
NUMBER = {
    "i": _table(r"""
        $v += $b1
        $v += $b1
        $v += 1
        $v -= $b1
        $v -= 1
        $v += $ii{$b1}
        $v = «max¦min»($v, $b1)
        $v = $b1 - $v
        $v += $b1 * $b2
        $v = ($v * $MOD + $b1) % $BIG
        $v = 0
        $v = $b2
        $v //= 2
        $v ^= $b1
    """),
    "s": _table(r"""
        $v += str($b1)
        $v += $is{$b1}
        $v = str($b1) + $v
        $v += $NEW
        $v = $v[:-1]
        $v += chr($b1 % 26 + 97)
        $v = $ss{$v}
    """),
    "w": _table(r"""
        $v.append(str($b1))
        $v.append($is{$b1})
        $v.insert(0, $is{$b1})
        if $v: $v[-1] += str($b1)
        $v.append($CHAR * ($b1 % 4))
    """),
    "l": _table(r"""
        $v.append($b1)
        $v.append($b1)
        $v.append($ii{$b1})
        $v.append($b1 * $b2)
        $v.append($b2)
        $v.insert(0, $b1)
        $v.insert($b2, $b1)
        $v.insert($b1, $b2)
        $v += [$b1, $ii{$b1}]
        $v = [$b1] + $v
        $v.append($b1 + sum($v))
        if $v: $v.pop(«¦0»)
        if $v: $v[-1] «+=¦-=¦=» $b1
        if $b1 not in $v: $v.append($b1)
        $v.reverse()
        $v = $v[1:] + [$b1]
        $v.sort()
    """),
    "d": _table(r"""
        $v[str($b1)] = $v.get(str($b1), 0) + 1
        $v[$is{$b1}] = $b1
        $v[$is{$b1}] = $b2
        $v[$b1] = $v.get($b1, 0) + 1
        $v[$b1] = $b2
        $v[$b1 % $MOD] = $b1
        $v.setdefault($b1 % $MOD, $b1)
        $v.pop($b1, None)
        $v[$ii{$b1}] = $v.get($b1, $INT)
    """),
}
# Conditions on an accumulator.
ABOUT = {
    "i": _table("$v > $NUM\n$v % 2 == «0¦1»\n$v\n$ip{$v}\n$v «<¦!=» $BIG"),
    "s": _table("$v\nlen($v) > $NUM\n$v.endswith($STR)\n$v and $v[-1] == $CHAR\n$b1t in $v\n$b1t not in $v\nnot $v"),
    "w": _table("$v\nlen($v) «>¦<» $NUM\n$v and $v[-1] == $b1t\n$b1t in $v\n$b1t not in $v\nnot $v\n$v and len($v[-1]) > 1"),
    "l": _table("$v\nlen($v) «>¦<» $NUM\n$v and $v[-1] «==¦<¦>¦!=» $b1n\n$b1n in $v\n$b1n not in $v\nsum($v) > $BIG"),
    "d": _table("$b1 in $v\n$b1 not in $v\nlen($v) > $NUM\n$v.get($b1, 0) > 1\nnot $v"),
}


def update(composer, name, letter, element, index, textual):
    """Returns a statement that changes an accumulator."""
    context = composer.context
    text = pick(composer.rng.choice((TEXT if textual else NUMBER)[letter]), composer.rng)
    before = set(context.taken)
    context.current = name
    text = context.fill(text, name, {"b1": element, "b2": index})
    context.release(before)
    return text


def condition(composer, accumulators, element, index, textual, single):
    rng, context = composer.rng, composer.context
    style = rng.random()
    before = set(context.taken)
    context.current = element
    if style < 0.55:
        tree = rng.choice(EXPRESSIONS[("cp" if single else "sp") if textual else "ip"])
        text = context.expand(tree, element)
    elif style < 0.9:
        name, letter = rng.choice(accumulators)
        text = pick(rng.choice(ABOUT[letter]), rng)
        text = text.replace("$b1t", "$b1" if textual else "str($b1)").replace("$b1n", "$b1" if not textual else "$b2")
        text = context.fill(text, name, {"b1": element, "b2": index})
    else:
        text = context.fill(pick(parse("$b2 % $MOD == «0¦1»"), rng), element, {"b2": index})
    if rng.random() < 0.08:
        text = f"not ({text})" if " " in text else f"not {text}"
    context.release(before)
    return text


def tally(composer):
    """Writes the body of a function with one loop. Returns what the function returns."""
    rng, context = composer.rng, composer.context
    letter = rng.choice("sssslllwwd")
    name = context.fresh(PARAMS[letter])
    context.parameters.append((name, context.pool.value(letter), letter))
    context.scope.append((name, letter))
    context.quota = rng.choice((0, 1, 1, 2))
    textual = letter != "l"
    lines = []
    accumulators = []
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        kind = rng.choice("iisslwwd" if textual else "iillls" "d")
        one = context.fresh(OUT[kind])
        accumulators.append((one, kind))
        start = {"i": rng.choice(("0", "0", "0", "1", "-1")), "s": "''", "l": "[]", "w": "[]", "d": "{}"}[kind]
        lines.append(f"    {one} = {start}")
        context.scope.append((one, kind))
    element = context.fresh(NAMES["c" if letter == "s" else "x" if letter == "l" else "w"])
    index = context.fresh(NAMES["i"])
    body = []

    def act(pad, extra=True):
        one, kind = rng.choice(accumulators)
        body.append(pad + update(composer, one, kind, element, index, textual))
        if extra and rng.random() < 0.25:
            act(pad, False)

    pad = " " * 8
    if rng.random() < 0.25:
        act(pad, False)
    for _ in range(rng.choice((1, 1, 1, 2)) if composer.difficulty > 0.3 else 1):
        body.append(f"{pad}if {condition(composer, accumulators, element, index, textual, letter == 's')}:")
        if rng.random() < 0.1:
            body.append(pad + "    " + rng.choice(("continue", "continue", "break")))
        else:
            act(pad + "    ")
        while rng.random() < 0.3:
            body.append(f"{pad}elif {condition(composer, accumulators, element, index, textual, letter == 's')}:")
            act(pad + "    ")
        if rng.random() < 0.55:
            body.append(f"{pad}else:")
            act(pad + "    ")
    for one, kind in accumulators:
        if not any(re.search(rf"\b{one}\b", line) for line in body):
            body.append(pad + update(composer, one, kind, element, index, textual))
    uses = any(re.search(rf"\b{index}\b", line) for line in body)
    header = loops(rng, name, element, index, letter, uses, context)
    lines += header + body
    if rng.random() < 0.15:
        one, kind = rng.choice(accumulators)
        context.current = one
        if kind == "d":
            lines.append(f"    {one} = dict(list({one}.items())[:{rng.randint(1, 4)}])")
        else:
            lines.append(f"    {one} = {context.expand(rng.choice(EXPRESSIONS[kind + kind]), one)}")
    context.lines += lines
    names = [one for one, _ in accumulators]
    if len(names) > 1:
        style = rng.random()
        if style < 0.5:
            return ", ".join(names)
        if style < 0.65:
            return ", ".join(names[::-1])
        if style < 0.75:
            return f"[{', '.join(names)}]"
    one, kind = rng.choice(accumulators)
    if rng.random() < 0.35:
        context.current = one
        if kind in "sw" or kind == "l":
            return context.expand(rng.choice(EXPRESSIONS[kind + rng.choice("slwi")]), one)
        if kind == "d":
            return rng.choice((f"len({one})", f"list({one}.items())", f"list({one}.values())", f"{one} or None", f"list({one})[::-1]"))
        return context.expand(rng.choice(EXPRESSIONS["ii"]), one)
    return one


def loops(rng, name, element, index, letter, uses, context):
    """Returns the head of a loop over the elements, with the index if it is needed."""
    pad = "    "
    style = rng.random()
    if letter == "d":
        source = rng.choice((f"list({name})", f"sorted({name})", f"list({name}.keys())", f"list({name})[::-1]"))
        return [f"{pad}for {index}, {element} in enumerate({source}):"]
    if not uses:
        if style < 0.75:
            return [f"{pad}for {element} in {name}:"]
        if style < 0.9:
            return [f"{pad}for {element} in {name}{rng.choice(('[::-1]', '[1:]', '[:-1]', '[::2]', '[1::2]'))}:"]
        return [f"{pad}for {element} in {rng.choice(('sorted', 'reversed', 'sorted'))}({name}):"]
    if style < 0.5:
        return [f"{pad}for {index}, {element} in enumerate({name}{rng.choice(('', '', '', ', 1', ', start=2'))}):"]
    if style < 0.8:
        span = rng.choice((f"len({name})",) * 4 + (f"1, len({name})", f"len({name}) - 1", f"0, len({name}), 2", f"len({name}) - 1, -1, -1"))
        return [f"{pad}for {index} in range({span}):", f"{pad}    {element} = {name}[{index}]"]
    if style < 0.9:
        return [f"{pad}{index} = {rng.choice((0, 0, 0, 1))}", f"{pad}while {index} < len({name}):", f"{pad}    {element} = {name}[{index}]",
                f"{pad}    {index} += {rng.choice((1, 1, 1, 2))}"]
    return [f"{pad}{index} = {rng.choice((0, 1))}", f"{pad}for {element} in {name}:", f"{pad}    {index} += 1"]


def braid(composer):
    """Writes two chains, from one or two parameters, whose results the returned expression
    combines."""
    rng, context = composer.rng, composer.context
    context.quota = rng.choice((0, 0, 1))
    ends = []
    first = rng.choice("sssllwwddi")
    for turn in range(2):
        if turn == 0 or rng.random() < 0.6:
            letter = first if turn == 0 else rng.choice(first + "sslwid")
            name = context.fresh(PARAMS[letter])
            context.parameters.append((name, context.pool.value(letter), letter))
            context.scope.append((name, letter))
        steps = rng.choice((0, 1, 1, 2)) if turn or composer.difficulty > 0.2 else 0
        value, end = composer.chain(name, letter, steps, 4, last=False)
        if not value.isidentifier():
            fresh = context.fresh(OUT[end])
            composer.put(f"{fresh} = {value}", 4)
            value = fresh
        ends.append((value, end))
    (one, left), (other, right) = ends
    rows = JOINS.get(left + right)
    if rows is None and right + left in JOINS:
        rows, one, other = JOINS[right + left], other, one
    if rows is None or rng.random() < 0.12:
        rows = OTHERWISE
    context.current = one
    return context.fill(pick(rng.choice(rows), rng), one, {"b1": other})
