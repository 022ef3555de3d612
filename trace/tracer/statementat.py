"""Finds the statement at a line, and makes code that can begin there.

For a function, the copy of its code has an additional block before the statement. The
block has line numbers beyond the end of the file, so it has no events. It deletes the
names that are unbound where the recording begins. Only a jump enters the block. A jump
to the statement itself would not do: since Python 3.12 a jump assigns None to all
unbound names.

For a module, the code lacks the statements before the line.

Inside a for or with statement the iterator or the context manager is not known. If npdb
asks for it, the statement is replaced by one that raises an exception where the program
would need it (see enter).
"""

from _npdb import library

ast = library.take("ast")

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = FUNCTIONS + (ast.ClassDef,)
DEFINITIONS = SCOPES + (ast.Import, ast.ImportFrom)


class Nowhere(Exception):
    """A recording cannot begin at this place; the argument says why."""


class Found:
    """A statement with the list that holds it and its index there, the definitions
    around it, and the lists and indices of the blocks around it in the innermost of
    these definitions."""

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
    """Yields a Found for each statement in a list, nested ones too."""
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
    """Returns the Found of the statement that begins at a line in a function; in the
    innermost function if no name is given."""
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
    return "no statement%s begins at line %d: it is inside the one at line %d" % (where, line, first_line(around.node))


def loop_names(node):
    """Returns the names that a for loop binds, none for other statements."""
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


UNKNOWN = "npdb_unknown"  # in the text of the exception of a replaced statement


def enter(found):
    """Replaces the for and with statements around a statement by statements that a jump
    can enter. Returns the names that the originals bind."""
    bound = []
    lists = [body for body, _ in found.blocks[1:]] + [found.body]
    for (outer, index), inner in zip(found.blocks, lists):
        node = outer[index]
        unknown = ast.Expr(ast.Attribute(ast.Constant(""), UNKNOWN, ast.Load()))
        if isinstance(node, ast.For) and inner is node.body:
            bound.append(node.target)
            made = ast.While(unknown.value, node.body, node.orelse)
        elif isinstance(node, ast.With):
            bound += [item.optional_vars for item in node.items if item.optional_vars]
            made = ast.Try(node.body, [], [], [unknown])
        else:
            continue
        outer[index] = made
        ast.copy_location(made, node)
        move(unknown, node.lineno)
    return [one.id for target in bound for one in ast.walk(target) if isinstance(one, ast.Name)]


def move(made, line):
    """Sets the line of a statement and of all its parts."""
    for node in ast.walk(made):
        node.lineno = node.end_lineno = line
        node.col_offset = node.end_col_offset = 0


def insert_deletion(found, names, bound, line):
    """Inserts a block before a statement that deletes names. Only a jump to the returned
    line enters the block. bound are other names that the code binds. line is beyond the
    end of the file."""
    test = ast.parse("if []:\n []\n []\n").body[0]
    last = test.body[-1:]
    if names:
        last.append(ast.Delete([ast.Name(name, ast.Del()) for name in names]))
    first = [ast.Assign([ast.Name(name, ast.Store()) for name in bound], ast.Constant(None))] if bound else []
    test.body = first + last
    move(test, line)
    for one in first:
        move(one, line + 1)
    for one in last:
        move(one, line + 2)
    found.body.insert(found.index, test)
    return line + 2


def rest(found):
    """Returns the statements of a module that run from a statement on. A compound
    statement around it is returned whole, unless it is an if."""
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
