"""Removes statements on which a program's result does not depend.

Random statements often have no effect on the result. A backward pass over the syntax tree keeps
those on which the returned value depends, so that programs look as if they had a purpose.
"""

import ast

_CHANGING = frozenset("""append insert extend remove pop sort reverse clear update setdefault popitem add discard
intersection_update difference_update symmetric_difference_update""".split())
_ALWAYS = (ast.Return, ast.Raise, ast.Assert, ast.Import)
_JUMPS = (ast.Break, ast.Continue)


def _root(node):
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _facts(node):
    """Returns the names that a piece of syntax uses, and those that it binds or whose
    values it changes."""
    known = getattr(node, "facts", None)
    if known:
        return known
    used, changed, left = set(), set(), [node]
    while left:
        one = left.pop()
        kind = type(one)
        if kind is ast.Name:
            used.add(one.id)
            if type(one.ctx) is not ast.Load:
                changed.add(one.id)
            continue
        if kind is ast.Constant:
            continue
        if kind is ast.Subscript and type(one.ctx) is not ast.Load:
            changed.add(_root(one))
        elif kind is ast.Call:
            if type(one.func) is ast.Attribute and one.func.attr in _CHANGING:
                changed.add(_root(one.func))
            elif type(one.func) is ast.Name and one.func.id == "print":
                changed.add("print")
        for field in one._fields:
            value = getattr(one, field, None)
            if isinstance(value, list):
                left += [inner for inner in value if isinstance(inner, ast.AST)]
            elif isinstance(value, ast.AST):
                left.append(value)
    node.facts = used, changed
    return node.facts


def _names(node):
    return _facts(node)[0]


def _changed(node):
    return _facts(node)[1]


def _live(statements, needed, dropped, jumps=True):
    """Returns the names that are needed before the statements, and adds to dropped the
    statements that are not needed. If jumps is false, jumps may be dropped too."""
    needed = set(needed)
    for one in reversed(statements):
        if isinstance(one, _JUMPS):
            if not jumps:
                dropped.add(one)
        elif isinstance(one, _ALWAYS):
            needed |= _names(one)
        elif isinstance(one, ast.FunctionDef):
            if one.name in needed:
                needed |= _names(one)
            else:
                dropped.add(one)
        elif isinstance(one, ast.If):
            left, right = set(), set()
            inner = _live(one.body, needed, left, jumps) | _live(one.orelse, needed, right, jumps)
            if left >= set(one.body) and right >= set(one.orelse):
                dropped.add(one)
                continue
            if left >= set(one.body):
                left = set()
                for kept in one.body:
                    inner |= _names(kept)
            dropped |= left | right
            needed |= inner | _names(one.test)
        elif isinstance(one, (ast.For, ast.While)):
            gone = set()
            _live(one.body, needed, gone, False)
            _live(one.orelse, needed, gone, jumps)
            if gone >= {*one.body, *one.orelse}:
                dropped.add(one)
                continue
            needed |= _names(one.iter if isinstance(one, ast.For) else one.test)
            for _ in range(3):
                gone = set()
                needed |= _live(one.orelse, needed, gone)
                needed |= _live(one.body, needed, gone)
            dropped |= gone - ({*one.body} if gone >= {*one.body} else set())
        elif isinstance(one, ast.Try):
            parts = [one.body, one.orelse, one.finalbody, *(handler.body for handler in one.handlers)]
            gone = [set() for _ in parts]
            inner = [_live(part, needed, lost, jumps) for part, lost in zip(parts, gone)]
            if all(lost >= set(part) for part, lost in zip(parts, gone)):
                dropped.add(one)
                continue
            needed = needed.union(*inner, _names(one))
        else:
            changed = _changed(one)
            if not changed & needed and not isinstance(one, ast.Pass):
                dropped.add(one)
                continue
            if isinstance(one, ast.Assign):
                needed -= {target.id for target in one.targets if isinstance(target, ast.Name)}
            needed |= _names(one)
    return needed


def keep_needed(lines, needed=(), prints=True):
    """Returns the lines without statements that neither the returns nor the needed
    names depend on."""
    tree = ast.parse("\n".join(["def _():", *("    " + line for line in lines)]))
    dropped = set()
    _live(tree.body[0].body, {*needed, *(["print"] if prints else [])}, dropped)
    gone = set()
    for one in dropped:
        gone.update(range(one.lineno - 2, one.end_lineno - 1))
    kept = [line for place, line in enumerate(lines) if place not in gone]
    # If a block has lost all its statements, its else is removed too; other headers get pass.
    out = []
    for place, line in enumerate(kept):
        following = kept[place + 1] if place + 1 < len(kept) else ""
        width = len(line) - len(line.lstrip())
        if line.rstrip().endswith(":") and len(following) - len(following.lstrip()) <= width:
            if line.strip() == "else:":
                continue
            out += [line, " " * (width + 4) + "pass"]
            continue
        out.append(line)
    return out


def names_in(lines):
    """Returns all names that the lines use."""
    return _names(ast.parse("\n".join(["def _():", *("    " + line for line in lines)])))


def changed_in(lines):
    """Returns the names that the lines bind or change."""
    return _changed(ast.parse("\n".join(["def _():", *("    " + line for line in lines)])))
