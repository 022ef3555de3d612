"""Variations of a finished source: other loops, operators, quotes and imports."""

import re

MODULES = ("re", "operator", "itertools", "functools", "math", "bisect", "heapq", "copy")
LOOP = re.compile(r"^( *)for (\w+) in (\w+):\n", re.M)
SWAPS = (
    (r"range\(len\((\w+)\)\)", (r"range(len(\1) - 1)", r"range(1, len(\1))", r"range(0, len(\1), 2)", r"range(len(\1) - 1, -1, -1)")),
    (r"\[::-1\]", ("[::-2]", "[::2]", "[1::-1]", "[:-1]", "[-2::-1]")),
    (r"\.append\((\w+)\)", (r".insert(0, \1)", r".insert(1, \1)", r".extend([\1, \1])", r".insert(-1, \1)")),
    (r" > ", (" >= ", " < ", " != ")),
    (r" < ", (" <= ", " > ", " != ")),
    (r" == ", (" != ", " <= ", " >= ")),
    (r" \+= 1\b", (" += 2", " -= 1", " += 3")),
    (r" and ", (" or ",)),
    (r" or ", (" and ",)),
    (r"\.upper\(\)", (".lower()", ".swapcase()", ".title()", ".capitalize()")),
    (r"\.lower\(\)", (".upper()", ".swapcase()")),
    (r"\.isalpha\(\)", (".isalnum()", ".isupper()", ".islower()", ".isidentifier()")),
    (r"\.isdigit\(\)", (".isalnum()", ".isnumeric()", ".isdecimal()")),
    (r"\.startswith\(", (".endswith(",)),
    (r"\.endswith\(", (".startswith(",)),
    (r"\.find\(", (".rfind(",)),
    (r"\.split\(", (".rsplit(",)),
    (r"\.strip\(", (".lstrip(", ".rstrip(")),
    (r"\.partition\(", (".rpartition(",)),
    (r"\.removeprefix\(", (".lstrip(", ".removesuffix(")),
    (r"\bmax\(", ("min(",)),
    (r"\bmin\(", ("max(",)),
    (r"\bsorted\((\w+)\)", (r"list(\1)", r"sorted(\1, reverse=True)", r"sorted(\1)[1:]")),
    (r"\ball\(", ("any(",)),
    (r"\bany\(", ("all(",)),
    (r"\[(\w+)\] = ", (r"[\1] += ",)),
    (r"\.pop\(\)", (".pop(0)", ".pop(-1)")),
    (r"\.pop\(0\)", (".pop()", ".pop(-1)")),
    (r" not in ", (" in ",)),
    (r"\bif (\w+)\b", (r"if not \1",)),
    (r"\bTrue\b", ("False",)),
    (r"\bFalse\b", ("True",)),
    (r"\bcontinue\b", ("break", "pass")),
    (r"\bbreak\b", ("continue", "pass")),
    (r" \+ 1\b", (" + 2", " - 1", "")),
    (r" - 1\b", (" - 2", " + 1", "")),
    (r" % 2\b", (" % 3", " // 2", " & 1")),
    (r" \* ", (" + ",)),
    (r"\[0\]", ("[-1]", "[1]", "[:1]")),
    (r"\[1:\]", ("[2:]", "[:-1]", "[1::2]")),
    (r"\.get\((\w+), [^(),]*\)", (r"[\1]", r".get(\1)", r".pop(\1, 0)")),
    (r"\.find\(", (".index(",)),
    (r"\.pop\((\w+), [^(),]+\)", (r".pop(\1)",)),
    (r", default=[^(),]*\)", (")",)),
    (r" if \w+ else [^\s()\]]+$", ("",)),
    (r" // ", (" % ", " / ")),
    (r"\bif (\w+) % ", (r"if \1 // ",)),  # in other positions the result might be a long range or string
    (r" - ", (" + ", " * ")),
    (r"\[:-1\]", ("[1:]", "[:-2]")),
    (r"\.ljust\(", (".rjust(", ".center(")),
    (r"= 0$", ("= 1", "= -1", "= 2")),
)


def restyle(rng, source):
    """Returns the source in another style. Some of the variations change what it computes."""
    if rng.random() < 0.45:
        source = LOOP.sub(lambda found: loop(rng, found, source), source)
    if rng.random() < 0.35:
        for _ in range(rng.randint(1, 2)):
            source = mutate(rng, source)
    if rng.random() < 0.2:
        source = re.sub(r"^( *)(\w+) ([-+*]|//|%)= (\w+|'[^']*'|\w+\[\w+\])$", r"\1\2 = \2 \3 \4", source, flags=re.M)
    if rng.random() < 0.3 and '"' not in source and "\\" not in source:
        source = source.replace("'", '"') if not re.search(r"f'[^'\n]*\[", source) else source
    imports = [f"import {name}" for name in MODULES if re.search(rf"\b{name}\.\w", source) and not re.search(rf"\b{name}\b *=[^=]", source)]
    named = [name for name in ("Counter", "defaultdict", "deque", "OrderedDict") if re.search(rf"\b{name}\(", source)]
    if named:
        imports.append("from collections import " + ", ".join(named))
    if imports:
        source = "\n".join(imports) + rng.choice(("\n", "\n\n")) + source
    return source


def loop(rng, found, source):
    """Returns a variation of `for x in xs`: over indices, reversed, over a slice, and so on. xs
    must be a name."""
    indent, name, values = found.groups()
    style = rng.random()
    index = next((one for one in rng.sample(("i", "j", "k", "idx", "pos"), 5) if not re.search(rf"\b{one}\b", source)), None)
    if index and style < 0.25:
        return f"{indent}for {index} in range(len({values})):\n{indent}    {name} = {values}[{index}]\n"
    if index and style < 0.37:
        return f"{indent}for {index}, {name} in enumerate({values}):\n"
    if index and style < 0.41:
        lines = (f"{index} = 0", f"while {index} < len({values}):",
                 f"    {name} = {values}[{index}]", f"    {index} += {rng.choice((1, 1, 1, 2))}")
        return "".join(f"{indent}{line}\n" for line in lines)
    if style < 0.43:
        return f"{indent}while {values}:\n{indent}    {name} = {values}.pop({rng.choice(('', '0'))})\n"
    if style < 0.48:
        return f"{indent}for {name} in {values}[{rng.choice(('1:', ':-1', '::2', '::-1', ':3', '2:'))}]:\n"
    if style < 0.52:
        return f"{indent}for {name} in reversed({values}):\n"
    if style < 0.56:
        return f"{indent}for {name} in sorted({values}):\n"
    return found.group()


def mutate(rng, source):
    """Replaces one operator or method by a similar one."""
    pattern, replacements = rng.choice(SWAPS)
    places = list(re.finditer(pattern, source, flags=re.M))
    if not places:
        pattern, replacements = rng.choice(SWAPS)
        places = list(re.finditer(pattern, source, flags=re.M))
        if not places:
            return source
    place = rng.choice(places)
    return source[:place.start()] + place.expand(rng.choice(replacements)) + source[place.end():]
