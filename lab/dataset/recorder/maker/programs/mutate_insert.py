"""New statements for a program: at a function's start, at a loop's start.

At the start of the function that the entry calls, the types of the parameters are known
from the arguments, so the statement fits them.
"""

import ast

from . import words
from .words import pick


def _q(rng, text):
    """Returns a literal of a short string. The string may or may not occur in
    `text`."""
    return repr(words.piece(rng, text))


def _number(rng):
    return pick(rng, (1, 2, 2, 3, 4, 5, 7, 10, 3))


_STRING = (
    "{v} = {v}.lower()", "{v} = {v}.upper()", "{v} = {v}.strip()",
    "{v} = {v}.title()", "{v} = {v}.swapcase()", "{v} = {v}[::-1]",
    "{v} = {v}.replace({a}, {b})", "{v} = {v}.replace({a}, '')",
    "{v} = {v}.replace({a}, {b}, 1)", "{v} = {v}[{n}:]", "{v} = {v}[:-{n}]",
    "{v} = {v}[::{n}]", "{v} = {v}.rstrip({a})", "{v} = {v}.lstrip({a})",
    "{v} = {v}.strip({a})", "{v} = {v} + {b}", "{v} = {b} + {v}", "{v} += {v}",
    "{v} = {v}.zfill({m})", "{v} = {v}.center({m}, {c})",
    "{v} = {v}.ljust({m}, {c})", "{v} = {v}.rjust({m})",
    "{v} = ''.join(sorted({v}))", "{v} = ' '.join({v}.split())",
    "{v} = {c}.join({v})", "{v} = {v}.capitalize()", "{v} = {v}.casefold()",
    "{v} = {v}.removeprefix({a})", "{v} = {v}.removesuffix({a})",
    "{v} = {v}.expandtabs(4)", "{v} = {v}.partition({a})[2]",
    "{v} = {v}.rpartition({a})[0]", "{v} = ''.join(reversed({v}))",
    "{v} = {v}.translate(str.maketrans({c}, {d}))",
    "{v} = ''.join(ch for ch in {v} if ch != {c})",
    "{v} = ''.join([c for c in {v} if c.isalnum()])",
    "{v} = ''.join(dict.fromkeys({v}))", "{v} = {v} or {b}",
    "if {a} in {v}:\n    {v} = {v}.replace({a}, {b})",
    "if len({v}) > {n}:\n    {v} = {v}[:{n}]",
    "if {v}.startswith({a}):\n    {v} = {v}[{n}:]",
    "if {v}.endswith({a}):\n    {v} = {v}[:-1]",
    "if {v}.islower():\n    {v} = {v}.upper()",
    "if not {v}:\n    return {b}", "if {v}.isdigit():\n    return int({v})",
    "if {a} not in {v}:\n    return {v}.find({c})",
    "if {v}.count({c}) > {n}:\n    return {v}.index({c})",
    "{t} = {v}.count({c})", "{t} = {v}.find({a})", "{t} = {v}.rfind({c})",
    "{t} = len({v})", "{t} = {v}.split({c})", "{t} = list({v})",
    "{t} = set({v})", "{t} = {v}.isalpha()", "{t} = {v}.index({c})",
    "{t}, {v} = {v}[:{n}], {v}[{n}:]", "{t} = [ord(c) for c in {v}]",
    "{t} = {{c: {v}.count(c) for c in sorted(set({v}))}}", "print({v})",
    "while {v}.startswith({c}):\n    {v} = {v}[1:]",
    "assert len({v}) < 100", "{v} = f'{{{v}}}{{len({v})}}'",
    "{v} = '%s-%d' % ({v}, len({v}))", "{v} = '<{{}}>'.format({v})",
)
_INTEGER = (
    "{v} += {n}", "{v} -= {n}", "{v} = abs({v})", "{v} %= {m}", "{v} = -{v}",
    "{v} = max({v}, {n})", "{v} = min({v}, {m})", "{v} //= 2", "{v} ^= {n}",
    "{v} = {v} * 2 + 1", "{v} = {v} & {m}", "{v} |= {n}", "{t} = {v} % {n}",
    "{v} = {v} if {v} > {n} else {m}", "if {v} < {n}:\n    {v} = {n}",
    "if {v} > {m}:\n    {v} -= {n}", "{t} = {v} ** 2", "{t} = str({v})",
    "if {v} % 2:\n    {v} += 1", "if {v} == {n}:\n    return {v}",
    "{t}, {v} = divmod({v}, {n})", "{t} = [{v}] * {n}", "print({v})",
    "{v} = ~{v}", "{v} = int(str(abs({v}))[::-1])", "{v} = {v} or {n}",
    "if not {v}:\n    {v} = {m}", "{t} = bin({v})", "{t} = {v} > {n}",
    "{t} = range({n}, {m})", "{v} = round({v} / {n})", "{v} = {v} << 1",
    "{t} = len(str({v}))", "{t} = sum(int(d) for d in str(abs({v})))",
)
_LIST = (
    "{v} = {v}[1:]", "{v} = {v}[::-1]", "{v} = {v}[:-1]", "{v}.append({e})",
    "{v}.insert(0, {e})", "{v}.insert({n}, {e})", "{v}.reverse()",
    "{v} = sorted({v})", "{v}.sort()", "{v} = list({v})", "{v} = {v} * 2",
    "{v} = {v} + [{e}]", "{v} += [{e}, {e2}]", "{v}.extend({v}[:{n}])",
    "if len({v}) > {n}:\n    {v}.pop()", "{v} = {v}[::2]", "{v} = {v}[{n}:]",
    "if {v}:\n    {v}.pop(0)", "if {e} in {v}:\n    {v}.remove({e})",
    "{v} = [x for x in {v} if x != {e}]", "{v} = {v}.copy()",
    "{v} = list(dict.fromkeys({v}))", "if not {v}:\n    return []",
    "if len({v}) < {n}:\n    return {v}", "{t} = {v}.count({e})",
    "{t} = len({v})", "{t} = {v}[:{n}]", "{t} = {e} in {v}", "del {v}[:1]",
    "{t} = {v}.pop() if {v} else {e}", "{t} = {v}.index({e})", "print({v})",
    "{v} = [{e}] + {v}", "{t} = {v}[-1]", "{t} = list(enumerate({v}))",
    "{v}[0] = {e}", "{v}[1:2] = [{e}]", "{v}[:1], {v}[-1:] = {v}[-1:], {v}[:1]",
    "{v} = [*{v}, {e}]", "{t}, *{v} = {v}", "*{v}, {t} = {v}",
    "{v} = {v}[-{n}:]", "{v} = list(filter(None, {v}))", "{t} = max({v})",
    "{t} = sorted({v}, reverse=True)", "{t} = set({v})",
    "for {t} in range(2):\n    {v}.append({v}[{t}])", "{v}.sort(key=str)",
)
_DICT = (
    "{v} = dict({v})", "{v}[{k}] = {e}", "{v}.update({{{k}: {e}}})",
    "{v}.setdefault({k}, {e})", "{v}.pop({k}, None)", "{t} = {v}.get({k})",
    "if {k} in {v}:\n    return {v}[{k}]", "{t} = list({v}.values())",
    "if {k} not in {v}:\n    {v}[{k}] = {e}", "{t} = {v}.get({k}, {e})",
    "if {k} in {v}:\n    del {v}[{k}]", "{t} = sorted({v})", "{t} = len({v})",
    "{v} = {{key: val for key, val in {v}.items() if key != {k}}}",
    "{t} = {k} in {v}", "{t} = list({v}.items())", "if not {v}:\n    return {e}",
    "{v} = {v} | {{{k}: {e}}}", "{v} = {{**{v}, {k}: {e}}}", "{t} = {v}.copy()",
    "{t} = {v}.pop({k})", "{t} = {v}.popitem()", "{t} = {v}.keys()",
    "{v} = {{b: a for a, b in {v}.items()}}", "print(sorted({v}))",
    "{v} = dict(sorted({v}.items(), reverse=True))", "{t} = max({v})",
    "for key in list({v}):\n    if key == {k}:\n        {v}[key] = {e}",
)
_BY_TYPE = {
    str: _STRING, int: _INTEGER, list: _LIST, dict: _DICT,
    tuple: ("{v} = {v}[::-1]", "{v} = {v}[1:]", "{v} += ({e},)",
            "{t} = {v}.count({e})", "{t} = len({v})", "{v} = ({e}, *{v})",
            "{t} = {v}.index({e})"),
    set: ("{v}.add({e})", "{v}.discard({e})", "{v} = {v} | {{{e}}}",
          "{t} = len({v})", "{v} = {v} - {{{e}}}", "{t} = {e} in {v}"),
    float: ("{v} = round({v}, 1)", "{v} = int({v})", "{v} = abs({v})",
            "{v} += {n}", "{t} = {v} > {n}"),
    bool: ("{v} = not {v}", "if {v}:\n    {v} = False", "{t} = int({v})"),
}


def called(tree, entry):
    """Returns (the function that the entry calls, {parameter: its argument's value})."""
    node = ast.parse(entry, mode="eval").body
    while isinstance(node, ast.Call) and len(node.args) == 1 and \
            isinstance(node.args[0], ast.Call):
        node = node.args[0]
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None, {}
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and \
                function.name == node.func.id:
            break
    else:
        return None, {}
    given = {}
    named = function.args.posonlyargs + function.args.args
    for parameter, arg in zip(named, node.args):
        if isinstance(arg, ast.Starred):
            break
        try:
            given[parameter.arg] = ast.literal_eval(arg)
        except (ValueError, TypeError, SyntaxError):
            continue
    return function, given


def at_start(rng, tree, lines, entry):
    """Returns (line index, text to insert before that line) for a new statement at the start of
    the called function, or None if there is no place for one."""
    function, given = called(tree, entry)
    if function is None or not given:
        return None
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) \
            and len(function.body) > 1:
        first = function.body[1]
    # Not always first: also after statements that do not change parameters.
    places = [first] + [node for node in function.body[1:-1]
                        if rng.random() < 0.5]
    place = pick(rng, places) if rng.random() < 0.4 else first
    if lines[place.lineno - 1][:place.col_offset].strip():
        return None
    name = pick(rng, list(given))
    value = given[name]
    text = statement(rng, name, value)
    if text is None:
        return None
    return _placed(place, text)


def statement(rng, name, value):
    """Returns a statement with the variable, which has a value like `value`."""
    forms = _BY_TYPE.get(type(value))
    if forms is None:
        return None
    text = value if type(value) is str else ""
    element, key = words.scalar, repr(words.string(rng)[:8])
    if type(value) in (list, tuple, set) and value:
        own = sorted(value, key=repr)
        first, second = pick(rng, own), pick(rng, own)
        if type(first) is int and rng.random() < 0.5:
            second = words.integer(rng)
        if type(first) is str and rng.random() < 0.5:
            second = words.string(rng)[:8]
        first, second = repr(first), repr(second)
        if rng.random() < 0.4:
            first, second = second, first
    elif type(value) is dict and value:
        keys = list(value)
        first = second = repr(value[pick(rng, keys)])
        if rng.random() < 0.6:
            key = repr(pick(rng, keys))
        elif type(keys[0]) is int:
            key = repr(words.integer(rng))
    else:
        first, second = repr(element(rng)), repr(element(rng))
    n = _number(rng)
    return pick(rng, forms).format(
        v=name, a=_q(rng, text), b=_q(rng, "") if rng.random() < 0.7 else
        repr(words.word(rng)[:6]), c=repr(pick(rng, text) if text and
                                          rng.random() < 0.5
                                          else words.char(rng)),
        d=repr(words.char(rng)), n=n, m=n + 1 + int(rng.random() * 12), k=key,
        e=first, e2=second, t=words.name(rng))


def at_loop(rng, tree, lines):
    """Returns (line index, text) for a condition at the start of a loop that leaves the
    loop or skips a turn. Returns None if no loop is suitable."""
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For) and
             isinstance(node.target, ast.Name)]
    if not loops:
        return None
    loop = pick(rng, loops)
    place = loop.body[0]
    if lines[place.lineno - 1][:place.col_offset].strip():
        return None
    name = loop.target.id
    jump = pick(rng, ("continue", "continue", "break"))
    called_range = isinstance(loop.iter, ast.Call) and \
        getattr(loop.iter.func, "id", "") == "range"
    if called_range:
        test = pick(rng, ("{v} == {n}", "{v} > {n}", "{v} % 2", "{v} % 2 == 0",
                          "{v} % 3 == 1", "not {v}", "{v} < {n}"))
    else:
        test = pick(rng, ("not {v}", "{v} == {e}", "{v} in ({e}, {f})",
                          "str({v}).isdigit()", "str({v}) > {c}",
                          "len(str({v})) > {n}", "{v} == {n}",
                          "str({v}).isupper()", "{c} in str({v})",
                          "isinstance({v}, int)", "{v} != {e}"))
    test = test.format(v=name, n=_number(rng), e=repr(words.char(rng)),
                       f=repr(words.integer(rng)), c=repr(words.char(rng)))
    text = "if %s: %s" % (test, jump) if rng.random() < 0.3 else \
        "if %s:\n    %s" % (test, jump)
    return _placed(place, text)


def _placed(place, text):
    indent = " " * place.col_offset
    return place.lineno - 1, "".join(
        indent + line + "\n" for line in text.split("\n"))
