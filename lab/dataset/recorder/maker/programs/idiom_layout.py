"""Writes a composed program as a module: imports, comments, calls."""

import re

from . import idiom_inputs as inputs
from .idiom_style import restyle

REMARKS = ("now the rest", "edge case", "keep order", "see above", "why not", "step 2", "then", "finish", "not needed?", "update", "check")
DOCUMENTED = ("Return the result.", "Process the input and return a new value.", "Helper.", "Transform the data.",
              "Count and collect.", "See the tests for examples.", "TODO: rename", "Work on a copy of the input.")
HINTS = {"s": "str", "l": "list[int]", "w": "list[str]", "d": "dict[str, int]", "i": "int", "m": "dict[str, str]",
         "g": "dict", "p": "list[tuple]", "x": "list[list[int]]", "a": "list", "n": "dict", "r": "list[dict]", "b": "bool", "f": "float"}
NAMES = ("solve process func count_items convert transform check main_func compute run "
         "g foo task handle clean make build parse find get_result").split()


def layout(composer, result, script):
    """Returns the source and the entry of the program that a composer has written."""
    rng, context = composer.rng, composer.context
    prelude = context.prelude
    if script:
        lines = []
        for text in prelude:
            lines += [text, ""]
        lines += [f"{name} = {inputs.show(value)}" for name, value, _ in context.parameters]
        lines += context.lines
        style = rng.random()
        lines.append(f"print({result})" if style < 0.6 else f"answer = {result}")
        return restyle(rng, "\n".join(lines) + "\n"), None
    function = "f" if rng.random() < 0.55 else rng.choice(NAMES) if rng.random() < 0.85 else inputs.free_name(rng)
    while function in context.taken:
        function = rng.choice(NAMES)
    parameters, arguments = [], []
    hints = rng.random() < 0.08
    written = "\n".join([*context.lines, result, *prelude])
    rest = [one for one in context.parameters if re.search(rf"\b{one[0]}\b", written)] or context.parameters[:1]
    if rng.random() < 0.04:
        rest = list(context.parameters)
    context.parameters = rest = list(rest)
    if len(rest) > 1 and rng.random() < 0.1:
        rest.reverse()
    defaults = len(rest) > 1 and rng.random() < 0.15
    for number, (name, value, letter) in enumerate(rest):
        text = name
        if hints:
            kind = HINTS.get(letter) or type(value).__name__
            text += f": {kind}"
        shown = inputs.show(value)
        if defaults and number and not isinstance(value, (list, dict)):
            text += f" = {shown}" if hints else f"={shown}"
            if rng.random() < 0.5:
                shown = None
            else:
                shown = f"{name}={shown}"
        elif number and rng.random() < 0.05:
            shown = f"{name}={shown}"
            defaults = True
        elif arguments and "=" in arguments[-1] and re.match(r"\w+=", arguments[-1]):
            shown = f"{name}={shown}"
        parameters.append(text)
        if shown is not None:
            arguments.append(shown)
        elif defaults:
            defaults = True
    # a parameter without a default must not follow one with a default
    seen = False
    for number, text in enumerate(parameters):
        if "=" in text:
            seen = True
        elif seen:
            parameters[number] = text + ("=None" if not hints else " = None")
    # positional arguments must not follow keyword arguments
    named = False
    for number, text in enumerate(arguments):
        if re.match(r"[A-Za-z_]\w*=", text):
            named = True
        elif named:
            return None
    head = f"def {function}({', '.join(parameters)}):"
    body = list(context.lines)
    if rng.random() < 0.04:
        body.insert(0, f'    """{rng.choice(DOCUMENTED)}"""')
    if rng.random() < 0.1 and result.count("\n") == 0 and not result.isidentifier():
        final = context.fresh(["result", "ret", "answer", "out"])
        body.append(f"    {final} = {result}")
        result = final
    body.append(f"    return {result}")
    if len(body) > 6 and rng.random() < 0.25:
        at = rng.choice([len(body) - 1] + [place for place in range(1, len(body)) if not body[place - 1].rstrip().endswith(":")
                                                and not body[place].lstrip().startswith(("else", "elif", "except", "finally", "case"))])
        body.insert(at, "" if rng.random() < 0.6 else " " * (len(body[at]) - len(body[at].lstrip())) + "# " + rng.choice(REMARKS))
    lines = []
    for text in prelude:
        lines += [text, "", ""] if rng.random() < 0.5 else [text, ""]
    lines.append(head)
    lines += body
    call = f"{function}({', '.join(arguments)})"
    if rng.random() > 0.18:
        return restyle(rng, "\n".join(lines) + "\n"), call
    second = again(rng, context, function)
    lines.append("")
    style = rng.random()
    if style < 0.35:
        lines.append(f"print({call})")
        if rng.random() < 0.5:
            lines.append(f"print({second})")
    elif style < 0.7:
        target = rng.choice("a r result x res out first".split())
        lines.append(f"{target} = {call}")
        lines.append(rng.choice((f"print({target})", f"b = {second}", f"print({target} == {second})", f"pair = ({target}, {second})")))
    elif len(context.parameters) == 1:
        one = rng.choice("t x case item s".split())
        letter = context.parameters[0][2]
        cases = [inputs.show(context.pool.value(letter)) for _ in range(2)] + arguments[:1]
        lines.append(f"for {one} in [{', '.join(cases)}]:\n    print({function}({one}))")
    else:
        lines.append(f"{rng.choice(('result', 'x', 'value'))} = {call}")
    return restyle(rng, "\n".join(lines) + "\n"), None


def again(rng, context, function):
    """Returns a call of the same function with other arguments."""
    arguments = []
    for name, value, letter in context.parameters:
        other = context.pool.value(letter) if letter and rng.random() < 0.8 else value
        arguments.append(f"{name}={inputs.show(other)}" if len(arguments) else inputs.show(other))
    return f"{function}({', '.join(arguments)})"
