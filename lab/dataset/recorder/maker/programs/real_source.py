"""Programs that are cut out of a file: a definition with everything that it uses."""

import ast
import builtins
import dis
import textwrap

_MODULES = frozenset("""math collections functools itertools string re
dataclasses typing enum operator contextlib heapq bisect textwrap copy
unicodedata struct binascii types abc keyword""".split())
_BANNED = frozenset("""open input exec eval compile __import__ globals locals
vars id hash breakpoint exit quit help memoryview super object dir copyright
credits license aiter anext __build_class__ __debug__ __name__ __file__
__doc__""".split())
_BUILTINS = frozenset(dir(builtins)) - _BANNED
_DECORATORS = frozenset("lru_cache cache".split())


class Module:
    """The top-level definitions of one file."""

    def __init__(self, text):
        self.text = text
        self.lines = text.splitlines(keepends=True)
        self.tree = ast.parse(text)
        self.definitions = {}
        for node in self.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.definitions[node.name] = node
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    for name in ast.walk(target):
                        if isinstance(name, ast.Name):
                            self.definitions[name.id] = node
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    name = alias.asname or alias.name.split(".")[0]
                    self.definitions[name] = node

    def source(self, node):
        """Returns the node's own lines, dedented, with their comments and layout."""
        first = min([node.lineno] + [d.lineno for d in
                                     getattr(node, "decorator_list", ())])
        text = "".join(self.lines[first - 1:node.end_lineno])
        return textwrap.dedent(text).rstrip() + "\n"

    def candidates(self):
        """Yields (function node, whether it is a method that ignores self)."""
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                if not isinstance(child, ast.FunctionDef):
                    continue
                if child.name.startswith("__") or not \
                        2 <= child.end_lineno - child.lineno + 1 <= 44:
                    continue
                if isinstance(node, ast.ClassDef):
                    marks = [getattr(d, "id", "") for d in child.decorator_list]
                    args = child.args.args
                    if marks == ["staticmethod"]:
                        yield child, False
                    elif not marks and len(args) > 1 and \
                            args[0].arg == "self" and not any(
                                isinstance(n, ast.Name) and n.id == "self"
                                for n in ast.walk(child)):
                        yield child, True
                else:
                    yield child, False


def free_names(source):
    """Returns the names that the source uses from the module or the built-ins, or None if it
    cannot be analysed."""
    try:
        code = compile(source, "<free>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    defined = set()
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            defined.add(node.name)
        else:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and \
                        isinstance(inner.ctx, ast.Store):
                    defined.add(inner.id)
                elif isinstance(inner, ast.ExceptHandler):
                    defined.add(inner.name)
                elif isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
                    defined.add(inner.name)
    return {n for n in _loaded(code) if n not in defined}


def _loaded(code):
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            if instruction.argval not in ("__name__", "__module__"):
                yield instruction.argval
    for const in code.co_consts:
        if hasattr(const, "co_code"):
            yield from _loaded(const)


def without_docstrings(source):
    """Returns the source without docstrings, in otherwise the same layout."""
    tree = ast.parse(source)
    lines = source.splitlines(keepends=True)
    cuts = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            first = node.body[0]
            if isinstance(first, ast.Expr) and \
                    isinstance(first.value, ast.Constant) and \
                    isinstance(first.value.value, str):
                if len(node.body) == 1 or first.lineno == node.lineno:
                    return None
                cuts.append((first.lineno - 1, first.end_lineno))
    for start, end in sorted(cuts, reverse=True):
        while end < len(lines) and not lines[end].strip():
            end += 1
        del lines[start:end]
    return "".join(lines)


def bare(source):
    """Returns the source without annotations, whose names would have to be defined."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return ast.unparse(tree) + "\n"


def assemble(module, function, drop_self):
    """Returns the whole program that defines the function, or None if that is
    impossible."""
    for decorator in function.decorator_list:
        head = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = getattr(head, "attr", getattr(head, "id", ""))
        if name not in _DECORATORS and name != "staticmethod":
            return None
    for node in ast.walk(function):
        if isinstance(node, (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Import,
                             ast.ImportFrom, ast.Nonlocal, ast.ClassDef)):
            return None
        if isinstance(node, ast.Attribute) and node.attr in (
                "write", "read", "readline", "close", "system", "environ",
                "assertEqual", "sleep", "modules", "__dict__", "__code__"):
            return None
    source = module.source(function)
    if any(getattr(d, "id", "") == "staticmethod"
           for d in function.decorator_list):
        source = source.split("\n", 1)[1]
    try:
        if drop_self:
            tree = ast.parse(source)
            del tree.body[0].args.args[0]
            source = ast.unparse(tree) + "\n"
        source = without_docstrings(source)
        if source is None:
            return None
        need = free_names(source)
    except (SyntaxError, ValueError, IndexError):
        return None
    if need is None:
        return None
    if any(n not in _BUILTINS and n not in module.definitions for n in need):
        source = bare(source)
        need = free_names(source)
    return with_needs(module, source, need, (function.name,))


def with_needs(module, source, need, own):
    """Returns the source, with the definitions that it needs before it. Returns None if
    it needs too many."""
    parts = {}
    order = sorted(need)
    helpers = 0
    done = set(own)
    while order:
        name = order.pop()
        if name in done:
            continue
        done.add(name)
        node = module.definitions.get(name)
        if node is None:
            if name in _BUILTINS:
                continue
            return None
        if isinstance(node, ast.Import):
            if len(node.names) != 1 or node.names[0].name not in _MODULES:
                if name not in _MODULES:
                    return None
                parts[node.lineno, name] = "import %s\n" % name
                continue
            parts[node.lineno, name] = ast.unparse(node) + "\n"
        elif isinstance(node, ast.ImportFrom):
            if node.module not in _MODULES or node.level:
                return None
            alias = [a for a in node.names if (a.asname or a.name) == name]
            if not alias:
                return None
            parts[node.lineno, name] = ast.unparse(ast.ImportFrom(
                node.module, alias, 0)) + "\n"
        else:
            if isinstance(node, ast.FunctionDef):
                helpers += 1
                if helpers > 3 or node.end_lineno - node.lineno > 30 or \
                        node.decorator_list:
                    return None
            elif node.end_lineno - node.lineno > 14:
                return None
            text = module.source(node)
            text = without_docstrings(text) if isinstance(
                node, (ast.FunctionDef, ast.ClassDef)) else text
            more = free_names(text) if text else None
            if more is None or len(text) > 1200:
                return None
            if isinstance(node, ast.Assign):
                for one in node.targets:
                    done.update(n.id for n in ast.walk(one)
                                if isinstance(n, ast.Name))
            parts[node.lineno, name] = text
            order.extend(sorted(more))
        if len(parts) > 8:
            return None
    text = ""
    for (_, _), part in sorted(parts.items()):
        if text and (part.startswith(("def ", "class ", "@"))):
            text += "\n\n"
        text += part
    if text:
        text += "\n\n" if text.count("\n") > 1 else "\n"
    text += source
    # Keep at most two lines of a long comment, because the rest is of no use for debugging.
    lines, run = [], 0
    for line in text.split("\n"):
        run = run + 1 if line.lstrip().startswith("#") else 0
        if run <= 2:
            lines.append(line)
    text = "\n".join(lines)
    if len(text) > 2600 or text.count("\n") > 64 or not text.isascii():
        return None
    return None if _about_code(text) else text


def _about_code(text):
    """Returns whether a program is about types or has other programs in its strings."""
    if any(word in text for word in ("TypeVar", "ParamSpec", "Generic[",
                                     "Annotated", "__code__", "typing.", "async ")):
        return True
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and \
                isinstance(node.value, (str, bytes)):
            if len(node.value) > 70 or len(node.value.splitlines()) > 3:
                return True
    return False
