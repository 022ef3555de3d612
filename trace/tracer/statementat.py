"""Finds the statement at a line, and makes code that can begin there.

A function gets a copy of its code in which a block comes before the statement. The
block is at lines that the file does not have, so it is no event. It deletes the names
that have no value where the recording begins. Usual runs of the code pass over the
block. A jump into it cannot be replaced by one to the statement: from Python 3.12 on a
jump gives None to all names without a value.

A module gets code without the statements that come before.
"""

from _npdb import library

ast = library.take("ast")

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = FUNCTIONS + (ast.ClassDef,)
DEFINITIONS = SCOPES + (ast.Import, ast.ImportFrom)


class Nowhere(Exception):
    """A recording cannot begin at this place; the argument says why."""


class Found:
    """A statement: the list that holds it and its index there, the definitions around
    it, and the lists and indices of the blocks around it in the innermost of these."""

    __slots__ = ("node", "body", "index", "scopes", "blocks")

    def __init__(self, body, index, scopes, blocks):
        self.node = body[index]
        self.body, self.index, self.scopes, self.blocks = body, index, scopes, blocks

    def scope(self):
        return self.scopes[-1].name if self.scopes else "<module>"


def first_line(node):
    """Returns the first line of a statement, with its decorators."""
    return min([node.lineno] + [one.lineno for one in getattr(node, "decorator_list", ())])


def statements(body, scopes=(), blocks=()):
    """Yields a Found for each statement in a list and in the statements there."""
    for index, node in enumerate(body):
        yield Found(body, index, scopes, blocks)
        if isinstance(node, SCOPES):
            yield from statements(node.body, scopes + (node,))
            continue
        for part in parts(node):
            yield from statements(part, scopes, blocks + ((body, index),))


def parts(node):
    """Returns the lists of statements of a compound statement."""
    owners = [node] + getattr(node, "handlers", []) + getattr(node, "cases", [])
    found = [getattr(owner, name, None) for owner in owners for name in ("body", "orelse", "finalbody")]
    return [part for part in found if isinstance(part, list)]


def at_line(tree, line, function):
    """Returns the Found of the statement that begins at a line, in the function of a
    name, or in the innermost one if the name is empty."""
    around = None
    found = []
    for one in statements(tree.body):
        first = first_line(one.node)
        if first == line and function in ("", one.scope()):
            found.append(one)
        elif first < line <= one.node.end_lineno:
            around = one
    if not found:
        raise Nowhere(nothing_at(line, function, around))
    deepest = max(len(one.scopes) for one in found)
    return next(one for one in found if len(one.scopes) == deepest)


def nothing_at(line, function, around):
    where = " in %s" % function if function else ""
    if around is None or isinstance(around.node, SCOPES):
        return "no statement%s begins at line %d" % (where, line)
    return "no statement%s begins at line %d: it is inside of the one at line %d" % (where, line, first_line(around.node))


def loop_names(node):
    """Returns the names that a for loop binds; none for another statement."""
    target = getattr(node, "target", None) if isinstance(node, (ast.For, ast.AsyncFor)) else None
    return [one.id for one in ast.walk(target) if isinstance(one, ast.Name)] if target else []


def definition(tree, line, function):
    """Returns the Found of the definition of a function that begins at a line."""
    for one in statements(tree.body):
        if isinstance(one.node, FUNCTIONS) and one.node.name == function and first_line(one.node) == line:
            return one
    raise Nowhere("no function %s is defined at line %d" % (function, line))


def code_of(code, node):
    """Returns the code object of a function, from the code of its module."""
    for const in code.co_consts:
        if hasattr(const, "co_code"):
            if const.co_name == node.name and const.co_firstlineno == first_line(node):
                return const
            inner = code_of(const, node)
            if inner is not None:
                return inner
    return None


def compiled(body, name, flags=0):
    """Compiles the statements of a module."""
    return compile(ast.Module(body, []), name, "exec", flags, dont_inherit=True)


def global_names(code):
    """Returns the names that the code of a function reads as globals. A comprehension
    may have a variable of the same name in that code."""
    return {one.argval for one in library.take("dis").get_instructions(code) if one.opname == "LOAD_GLOBAL"}


def insert_deletion(found, names, line):
    """Inserts a block that deletes names before a statement. Only a jump to the
    returned line enters it. line is one that the file does not have."""
    test = ast.parse("if []:\n []\n").body[0]
    if names:
        test.body.append(ast.Delete([ast.Name(name, ast.Del()) for name in names]))
    for node in ast.walk(test):
        node.lineno = node.end_lineno = line + 1
        node.col_offset = node.end_col_offset = 0
    for node in (test, test.test):
        node.lineno = node.end_lineno = line
    found.body.insert(found.index, test)
    return line + 1


def rest(found):
    """Returns the statements of a module that run from a statement on. A block other
    than an if is returned whole."""
    body = found.body[found.index :]
    for outer, index in reversed(found.blocks):
        body = body + outer[index + 1 :] if isinstance(outer[index], ast.If) else outer[index:]
    return body


def definitions(tree, found):
    """Returns the imports and definitions of a module that come before a statement."""
    last = found.blocks[0][1] if found.blocks else found.index
    return [node for node in tree.body[:last] if isinstance(node, DEFINITIONS)]


def future(code):
    """Returns the flags of the __future__ statements of a module."""
    known = library.take("__future__")
    flags = 0
    for name in known.all_feature_names:
        flags |= getattr(known, name).compiler_flag
    return code.co_flags & flags
