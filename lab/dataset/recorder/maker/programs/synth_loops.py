"""Loops of the synthesiser, and their accumulators."""

import re

from .synth_comprehend import ITEM, source_of
from .synth_core import Retry
from .synth_statements import START
from .synth_tables import split
from .synth_values import duplicate

_NAMES = re.compile(r"[A-Za-z_]\w*")


def indent(lines):
    """Returns the lines with one more level of indentation."""
    return ["    " + line for line in lines]


class Loops:
    """The loops of Blocks."""

    def accumulator(self):
        """Returns a variable for a loop to update: (lines before the loop, name, type)."""
        maker, rng = self.maker, self.maker.rng
        kind = rng.choices(
            ("int", "str", "li", "ls", "dsi", "dis", "dsl", "dss", "si", "bool", "ll", "lp"),
            (6, 6, 5, 5, 3, 0.7, 1, 0.6, 0.7, 0.6, 0.4, 0.5))[0]
        old = [name for name in maker.pool(kind) if name not in maker.locked and name not in maker.hot and maker.types[name] == kind]
        if old and rng.random() < 0.3:
            return [], rng.choice(old), kind
        maker.fresh = []
        name = maker.name(kind)
        source = maker.fill(split(rng.choice(START[kind])), 0)
        maker.bind(name, kind, maker.value(source))
        maker.fork()
        return [f"{name} = {source}"], name, kind

    def body(self, name, kind):
        """Returns a loop's body: perhaps a temporary variable, then an update, often
        under a condition."""
        maker, rng = self.maker, self.maker.rng
        maker.in_loop = True
        lines = []
        if rng.random() < 0.12 + 0.25 * maker.difficulty:
            made = self.statement()
            lines += made or []
        if rng.random() < 0.17:
            guard = self.attempt(type(self).guard)
            lines += guard or []
        inner = [one for one in maker.hot if maker.types[one] in ("li", "str", "ls") and len(maker.env[one]) in range(2, 7)]
        if inner and self.depth < 3 and rng.random() < (0.35 if maker.types[inner[0]] != "str" else 0.08):
            return lines + self.nested(rng.choice(inner), name, kind)
        feed = [maker.feed(name, kind, self.deep)]
        if rng.random() < 0.12:
            feed += maker.plain(1) or []
        if rng.random() < 0.52:
            lines += [f"if {self.condition()}:", *indent(feed)]
            roll = rng.random()
            if roll < 0.15:
                lines += [f"elif {self.condition()}:", "    " + maker.feed(name, kind, self.deep)]
            if roll < 0.40:
                other = maker.feed(name, kind, self.deep) if rng.random() < 0.8 else rng.choice(("break", "continue", "pass"))
                if other != feed[0]:
                    lines += ["else:", "    " + other]
        else:
            lines += feed
        if self.depth < 3 and rng.random() < 0.10 + 0.1 * maker.difficulty:
            lines += maker.plain(1) or []
        return lines

    def nested(self, over, name, kind):
        """Returns a loop over an element of the iterable of the loop around it."""
        maker, rng = self.maker, self.maker.rng
        one = {"li": "int", "str": "ch", "ls": "str"}[maker.types[over]]
        item = maker.name(one)
        maker.bind(item, one, rng.choice(list(maker.env[over])))
        maker.hot, maker.locked = (item, *maker.hot), (*maker.locked, item, over)
        self.depth += 1
        inner = self.body(name, kind)
        self.depth -= 1
        return [f"for {item} in {over}:", *indent(inner)]

    def loop_for(self):
        """Returns a for loop over any existing value."""
        maker, rng = self.maker, self.maker.rng
        before, name, kind = self.accumulator() if rng.random() < 0.9 else ([], None, None)
        targets, source = source_of(maker, 1)
        if name in _NAMES.findall(source):
            raise Retry  # the loop would change what it iterates over
        for known in list(maker.types):
            if known in _NAMES.findall(source):
                maker.locked = (*maker.locked, known)
        names = []
        for one, value in targets:
            fitting = [n for n in ITEM.get(one, ITEM["int"]) if n not in maker.types and n not in names]
            new = rng.choice(fitting) if fitting and rng.random() < 0.75 else maker.name(one)
            names.append(new)
        for new, (one, value) in zip(names, targets):
            maker.bind(new, one, duplicate(value, {}))
        if source.startswith("range(") and "len(" in source:
            maker.hot = (source.partition("len(")[2].partition(")")[0], *maker.hot)
            names.append(maker.hot[0])
        maker.hot = tuple(names) + (maker.hot if rng.random() < 0.3 else ())
        maker.locked = (*maker.locked, *names)
        names = names[:len(targets)]
        inner = self.body(name, kind) if name else self.block(1 + (rng.random() < 0.4))
        lines = [*before, f"for {', '.join(names)} in {source}:", *indent(inner)]
        if rng.random() < (0.4 if any("break" in line for line in inner) else 0.01):
            lines += ["else:", "    " + (maker.feed(name, kind, 1) if name else "pass")]
        return lines, [(name, kind)] if before else []

    def loop_in_place(self):
        """Returns a loop that changes or drops elements of the list or dict that it
        iterates over."""
        maker, rng = self.maker, self.maker.rng
        names = [one for one, kind in maker.types.items() if kind in ("li", "ls", "dsi", "dss") and one not in maker.locked and 1 < len(maker.env[one]) < 10]
        if not names:
            raise Retry
        over = rng.choice(names)
        kind, value = maker.types[over], maker.env[over]
        element = {"li": "int", "ls": "str", "dsi": "int", "dss": "str"}[kind]
        key = next(iter(value)) if kind[0] == "d" else 0
        at, item = maker.name("str" if kind[0] == "d" else "int"), maker.name(element)
        maker.bind(at, "str" if kind[0] == "d" else "int", key)
        maker.bind(item, element, value[key])
        maker.hot, maker.locked, maker.in_loop, maker.avoid = (item, item, at), (*maker.locked, over, at, item), True, None
        test = self.condition() if rng.random() < 0.75 else None
        new = maker.expr(element, 2)
        if item not in _NAMES.findall(new):
            new = f"{item} {rng.choice('+-*') if element == 'int' else '+'} {maker.constant(element)[0]}"
        shape = rng.random()
        if kind[0] == "d":
            if shape < 0.4 and test:
                taken = f"for {at}, {item} in list({over}.items()):" if rng.random() < 0.5 else f"for {at} in list({over}):"
                gone = rng.choice((f"del {over}[{at}]", f"{over}.pop({at})"))
                put = [] if f" {item} " in taken else [f"{item} = {over}[{at}]"]
                return [taken, *indent([*put, f"if {test}:", f"    {gone}"])], []
            change = [f"{over}[{at}] = {new}"]
            head = f"for {at}, {item} in {over}.items():"
        elif shape < 0.3 and test:
            put = [] if rng.random() < 0.4 else None
            if put is None:
                return [f"for {item} in {over}{rng.choice(('[:]', '.copy()', '[::-1]', ''))}:", f"    if {test.replace(at, 'len(' + over + ')') if at in _NAMES.findall(test) else test}:",
                        f"        {over}.remove({item})"], []
            gone = rng.choice((f"{over}.pop({at})", f"del {over}[{at}]"))
            return [f"{at} = 0", f"while {at} < len({over}):", f"    {item} = {over}[{at}]", f"    if {test}:", f"        {gone}", "    else:", f"        {at} += 1"], [(at, "int")]
        else:
            change = [f"{over}[{at}] = {new}"]
            head = rng.choice((f"for {at}, {item} in enumerate({over}):", f"for {at} in range(len({over})):"))
            if "range" in head:
                spelled = re.compile(rf"\b{item}\b")
                change = [spelled.sub(f"{over}[{at}]", line) for line in change]
                test = test and spelled.sub(f"{over}[{at}]", test)
        return [head, *indent([f"if {test}:", *indent(change)] if test else change)], []

    def loop_while(self):
        """Returns a while loop with progress that nothing in its body can undo."""
        maker, rng = self.maker, self.maker.rng
        before, name, kind = self.accumulator()
        hot, locked = [], []
        shape = rng.random()
        tail, test = [], None
        texts = [n for n in maker.pool("str") if 0 < len(maker.env[n]) <= 12 and n != name]
        lists = [n for n in maker.pool("li") + maker.pool("ls") if 0 < len(maker.env[n]) <= 10 and n != name]
        ints = [n for n in maker.pool("int") if 2 < maker.env[n] and n != name and n not in maker.locked]
        head = []
        if shape < 0.34 and texts + lists:
            over = maker.pick(texts + lists)
            at = maker.name("int")
            before = [f"{at} = 0", *before]
            maker.bind(at, "int", 0)
            test = f"{at} < len({over})"
            tail = [f"{at} += {rng.choice((1, 1, 1, 2))}"]
            hot, locked = [at, over], [at, over]
            if rng.random() < 0.5:
                item = maker.name("ch" if maker.types[over] in ("str", "ch") else "int")
                head = [f"{item} = {over}[{at}]"]
                maker.bind(item, "int" if maker.types[over] == "li" else "str", maker.env[over][0])
                hot.append(item)
        elif shape < 0.55 and ints:
            over = maker.pick(ints)
            big = maker.env[over] > 8
            test = f"{over} > {rng.choice((0, 0, 1))}" if rng.random() < 0.8 else f"{over}"
            tail = [f"{over} //= {rng.choice((2, 3, 10, 10) if big else (2, 2))}"] if big or rng.random() < 0.4 else [f"{over} -= {rng.choice((1, 1, 2))}"]
            if test == over and "-=" in tail[0]:
                test = f"{over} > 0"
            hot, locked = [over], [over]
            if "//" in tail[0] and rng.random() < 0.6:
                digit = maker.name("int")
                head = [f"{digit} = {over} % {tail[0].split()[-1]}"]
                maker.bind(digit, "int", maker.env[over] % 10)
                hot.append(digit)
        elif shape < 0.72 and lists:
            free = [n for n in lists if n not in maker.locked]
            if not free:
                raise Retry
            over = maker.pick(free)
            item = maker.name("int")
            one = "int" if maker.types[over] == "li" else "str"
            test = rng.choice((over, over, f"len({over}) > {rng.randint(0, 2)}"))
            head = [f"{item} = {over}.pop({rng.choice(('', '', '0'))})"]
            maker.bind(item, one, maker.env[over][-1])
            hot, locked = [item], [over]
        elif shape < 0.76 and (lists + texts or rng.random() < 0.2):
            at, end = maker.name("int"), maker.name("int")
            high = rng.randint(3, 7)
            if lists + texts and rng.random() < 0.9:
                over = rng.choice(lists + texts)
                before = [f"{at}, {end} = 0, len({over}) - 1", *before]
                high = len(maker.env[over]) - 1
            else:
                before = [f"{at} = 0", f"{end} = {high}", *before]
            maker.bind(at, "int", 0)
            maker.bind(end, "int", high)
            test = f"{at} {rng.choice(('<', '<', '<='))} {end}"
            tail = [f"{at} += 1", f"{end} -= 1"]
            hot, locked = [at, end], [at, end]
            if "len(" in before[0]:
                hot.append(over)
                locked.append(over)
        elif texts:
            free = [n for n in texts if n not in maker.locked]
            if not free:
                raise Retry
            over = maker.pick(free)
            letter = rng.choice(maker.env[over])
            shown = maker.requote(repr(letter))
            if rng.random() < 0.25:
                at = maker.name("int")
                before = [f"{at} = {over}.find({shown})", *before]
                maker.bind(at, "int", maker.env[over].find(letter))
                return self.finish_while(before, f"{at} != -1", [], name, kind, [f"{at} = {over}.find({shown}, {at} + 1)"], [at, over], [at, over])
            test, step = rng.choice((
                (f"{over}.startswith({shown})", f"{over} = {over}[1:]"), (f"{shown} in {over}", f"{over} = {over}.replace({shown}, '', 1)"),
                (over, f"{over} = {over}[{rng.choice((1, 2))}:]"), (f"len({over}) > {rng.randint(1, 3)}", f"{over} = {over}[:-1]"),
                (f"len({over}) > 1 and {over}[0] != {over}[-1]", f"{over} = {over}[1:]"), (over, f"{over} = {over}[1:-1]"),
                (f"{shown} in {over}", f"{over} = {over}.partition({shown})[2]"),
            ))
            tail, hot, locked = [step], [over], [over]
        else:
            raise Retry
        return self.finish_while(before, test, head, name, kind, tail, hot, locked)

    def finish_while(self, before, test, head, name, kind, tail, hot, locked):
        """Returns a while loop, whose body is between head and tail, and its new names."""
        maker, rng = self.maker, self.maker.rng
        maker.hot = tuple(hot)
        maker.locked = (*maker.locked, *locked)
        inner = self.body(name, kind)
        if tail and any("continue" in line for line in inner):
            head, tail = ([*tail, *head] if not head else [*head, *tail]), []
        if rng.random() < 0.07 and test.count(" ") < 6 and tail:
            stop = f"not ({test})" if " " in test else f"not {test}"
            lines = [*before, "while True:", f"    if {stop}:", "        break", *indent([*head, *inner, *tail])]
        else:
            lines = [*before, f"while {test}:", *indent([*head, *inner, *tail])]
            if rng.random() < (0.3 if any("break" in line for line in inner) else 0.01):
                lines += ["else:", "    " + maker.feed(name, kind, 1)]
        names = [line.partition(" = ")[0] for line in before]
        fresh = [(one.strip(), maker.types[one.strip()]) for joined in names for one in joined.split(",") if one.strip() in maker.types]
        return lines, fresh
