"""The outline of a source file: where a tracer can stop, and its functions.

The lines come from the code objects to which this interpreter compiles the file,
so they are the lines of its line events.
"""

import ast
import dis
import re
import types

_LINE_END = re.compile(rb"\r\n|\n|\r")


class Unparsable(Exception):
    """The file is not valid Python. Arguments: line (0 if unknown) and message."""


def outline(source, filename):
    """Returns two lists: the lines with a line event, sorted, and the functions defined
    with def, sorted by line, as (name, qualname, co_firstlineno, first executable line
    of the body, last line)."""
    try:
        code = compile(source, filename, "exec", dont_inherit=True)
        tree = ast.parse(source, filename)
    except (SyntaxError, ValueError) as error:
        line, message = getattr(error, "lineno", None), getattr(error, "msg", str(error))
        if not line and b"\0" in source:  # before 3.12 this error has no line
            line = len(_LINE_END.findall(source.partition(b"\0")[0])) + 1
        raise Unparsable(line or 0, message) from None
    last = len(_LINE_END.findall(source)) + (not source.endswith((b"\n", b"\r")) and source != b"")
    codes = list(_nested(code))
    lines = {line for each in codes for line in _lines(each) if 0 < line <= last}
    by_place = {(each.co_name, each.co_firstlineno): each for each in codes}
    functions = []
    for node, qualname in _definitions(tree):
        first = _first_line(node)
        # A function that the compiler dropped as unreachable has no code object.
        if (node.name, first) in by_place:
            body = _first_line(node.body[0])
            own = _lines(by_place[node.name, first])
            # If the body is only a docstring, it returns on the line of the def.
            start = next((line for line in own if line >= body), own[-1])
            functions.append((node.name, qualname, first, start, node.end_lineno))
    return sorted(lines), sorted(functions, key=lambda function: function[2])


def _nested(code):
    """Yields a code object and the code objects of its functions and classes. It ignores
    constants that no instruction loads: they belong to unreachable code."""
    found = [code]
    while found:
        code = found.pop()
        yield code
        if any(isinstance(each, types.CodeType) for each in code.co_consts):
            loaded = (instruction.argval for instruction in dis.get_instructions(code))
            found.extend(each for each in loaded if isinstance(each, types.CodeType))


def _lines(code):
    """Returns the lines of a code object in the order of its instructions."""
    if hasattr(code, "co_lines"):
        return [line for _, _, line in code.co_lines() if line]
    return [line for _, line in dis.findlinestarts(code)]


def _first_line(node):
    """Returns co_firstlineno of a definition, or the first line of any other statement."""
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])


def _definitions(tree):
    """Yields all functions in a module with their qualified names (PEP 3155)."""
    found = [(tree, "", frozenset())]
    while found:
        node, prefix, outer = found.pop()
        for child in ast.iter_child_nodes(node):
            inner, names = prefix, outer
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                qualname = child.name if child.name in outer else prefix + child.name
                if not isinstance(child, ast.ClassDef):
                    yield child, qualname
                inner = qualname + ("." if isinstance(child, ast.ClassDef) else ".<locals>.")
                names = _globals(child)
            elif isinstance(child, ast.Lambda):
                inner, names = prefix + "<lambda>.<locals>.", frozenset()
            found.append((child, inner, names))


def _globals(scope):
    """Returns the names that a scope itself declares global, not the scopes in it."""
    names, found = set(), list(scope.body)
    while found:
        node = found.pop()
        if isinstance(node, ast.Global):
            names.update(node.names)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            found.extend(ast.iter_child_nodes(node))
    return frozenset(names)
