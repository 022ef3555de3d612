"""Python typed at the prompt. It sees the names of its frame, also inside functions
that it creates, and the variables $NAME."""

import builtins
import sys

from _npdb import library, moves
from _npdb import render as values
from _npdb.bound import program_sys

tracebacks = moves.load("tracebacks")
variables = {}  # values of $NAME, until the program continues
VARIABLES, SHOW = "__npdb_variables", "__npdb_show"


class Names:
    """The names of a frame while typed code runs. npdb's own names are in its builtins,
    where no state shows them."""

    def __init__(self, frame, text, display=None):
        self.text = replaced(text)
        self.outer, self.inner = moves.names(frame)
        self.builtins = frame.f_builtins if frame is not None else vars(builtins)
        self.added = {SHOW: display} if display is not None else {}
        if self.text is not text:
            if not variables:
                variables.update(tracebacks.happened())
            variables["_frame"] = frame
            self.added[VARIABLES] = variables

    def __enter__(self):
        self.builtins.update(self.added)
        return self

    def __exit__(self, *_):
        for name in self.added:
            self.builtins.pop(name, None)


def replaced(text):
    """Returns a text with $NAME replaced by an expression, or the text itself if it has
    none. In a string $ is an ordinary character."""
    if "$" not in text:
        return text
    io, tokenize = library.take("io"), library.take("tokenize")
    pieces = []
    done = 0
    lines = [0]
    for line in text.splitlines(True):
        lines.append(lines[-1] + len(line))
    dollar = None
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.string == "$":
                dollar = token.end
                continue
            if token.type == tokenize.NAME and token.start == dollar:
                start = lines[dollar[0] - 1] + dollar[1] - 1
                pieces += (text[done:start], '%s["%s"]' % (VARIABLES, token.string))
                done = lines[token.end[0] - 1] + token.end[1]
            dollar = None
    except (tokenize.TokenError, SyntaxError):
        return text
    return "".join(pieces) + text[done:] if pieces else text


def unloaded(scopes, name):
    """Returns the lazy import that a name refers to in the globals and the locals, or None. It
    does not load the module."""
    for names in scopes[::-1]:
        if type(names) is dict and name in names:
            return names[name] if type(names[name]) is values.LazyType else None
    return None


def evaluate(frame, text):
    """Returns the value of an expression. A name with or without attributes does not load a lazy
    import."""
    name, *attributes = text.strip().split(".")
    lazy = unloaded(moves.names(frame), name) if values.LazyType else None  # reading the names takes time
    if lazy is not None and not attributes:
        return lazy
    if lazy is not None and all(map(str.isidentifier, attributes)):
        raise NameError("%s is not loaded yet, because its import is lazy: !%s loads it" % (name, name))
    with Names(frame, text) as names:
        text = names.text.strip()
        code = compile(text, "<stdin>", "eval", dont_inherit=True)
        run = enclosed(names, code, text, "eval") or (lambda: eval(code, names.outer, names.inner))
        return run()


def execute(frame, text, display):
    """Runs a statement. Returns False if it is incomplete. The values of expressions in
    it are displayed."""
    codeop = library.take("codeop")
    with Names(frame, text, display) as names:
        if frame is not None and frame.f_code.co_flags & 1:
            names.inner = frame.f_locals  # the interpreter writes these back
        code = codeop.compile_command(names.text, "<stdin>", "single")
        if code is None:
            return False
        run = enclosed(names, code, names.text, "single") or (lambda: exec(code, names.outer, names.inner))
        hook = sys.displayhook
        program_sys.displayhook = display
        try:
            run()
        finally:
            program_sys.displayhook = hook
            write_back(frame, names.inner)
    return True


def write_back(frame, names):
    """Writes the names back to the frame. Before 3.13 f_locals is a copy (PEP 667),
    also in an inlined comprehension of a module."""
    if frame is None or sys.version_info >= (3, 13):
        return
    code = frame.f_code
    if not code.co_flags & 1:
        if code.co_name == "<module>" and names is not frame.f_globals:
            found = ((name, value) for name, value in names.items() if name not in code.co_varnames)
            frame.f_globals.update(found)
        return
    try:
        ctypes = library.take("ctypes")
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    except ImportError:
        pass


def enclosed(names, code, text, mode):
    """Wraps typed code in a function inside another one whose variables are the frame's
    names, so that functions it creates share them. Returns None if the code creates no
    functions, or if wrapping is impossible."""
    if names.inner is names.outer or not any(hasattr(const, "co_code") for const in code.co_consts):
        return None
    ast, keyword = library.take("ast"), library.take("keyword")
    tree = ast.parse(text, "<stdin>", mode)
    body = [ast.Return(tree.body)] if mode == "eval" else showing(ast, tree.body)
    elsewhere = globals_of(ast, body)
    own = {
        name: value
        for name, value in names.inner.items()
        if isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name) and name not in elsewhere
    }
    try:
        bound = function(ast, names.outer, body, list(own), [])(**own).__code__
        new = [name for name in bound.co_varnames + bound.co_cellvars if name.isidentifier()]
        typed = function(ast, names.outer, body, list(own), new)(**own)
    except (SyntaxError, TypeError, ValueError):
        return None  # for example an annotation of one of the names

    def run():
        try:
            return typed()
        finally:
            keep(names.inner, own, dict(zip(typed.__code__.co_freevars, typed.__closure__ or ())))

    return run


def function(ast, outer, body, own, new):
    """Returns a function of the frame's names that returns an inner function with the
    body. The frame's names and the new ones are nonlocal in it."""
    made = ast.parse("def outer():\n if 0: pass\n def typed(): pass\n return typed")
    unbound, typed = made.body[0].body[:2]
    made.body[0].args.args = [ast.arg(name) for name in own]
    if new:
        unbound.body = [ast.Assign([ast.Name(name, ast.Store()) for name in new], ast.Constant(None))]
    typed.body = [ast.Nonlocal(own + new)] * bool(own + new) + body
    found = {}
    exec(compile(ast.fix_missing_locations(made), "<stdin>", "exec", dont_inherit=True), outer, found)
    return found["outer"]


def globals_of(ast, body):
    """Returns the names that statements declare global, without those in inner
    functions."""
    found = set()
    todo = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Global):
            found.update(node.names)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            todo.extend(ast.iter_child_nodes(node))
    return found


def showing(ast, body):
    """Returns statements whose expressions are displayed, like in an interactive
    interpreter."""

    class Shows(ast.NodeTransformer):
        def visit_Expr(self, node):
            return ast.Expr(ast.Call(ast.Name(SHOW, ast.Load()), [node.value], []))

        def as_it_is(self, node):
            return node

        visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = as_it_is

    return [Shows().visit(node) for node in body]


def keep(inner, before, cells):
    """Assigns the values that the typed code left to the frame's names."""
    for name, cell in cells.items():
        try:
            value = cell.cell_contents
        except ValueError:  # unbound
            if name in before:
                forget(inner, name)
        else:
            if name not in before or before[name] is not value:
                inner[name] = value


def forget(inner, name):
    try:
        del inner[name]
    except (KeyError, ValueError, TypeError):
        pass  # 3.13 cannot unbind a function's variable (PEP 667)
