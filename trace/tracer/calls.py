"""Determines from its source what a call on a line may change."""

from _npdb.known import ALL, BUILTINS, CALLING, CHANGING, LATER, METHODS, MUTATORS, PLAIN_BASES, REACH, exception
from _npdb.source import NAMESPACES

LAZY = frozenset("map filter iter starmap takewhile dropwhile filterfalse accumulate groupby".split())
CLOSES = frozenset("ExitStack AsyncExitStack closing aclosing".split())  # their ends call what was passed to them
PURE, USER, UNKNOWN = "pure", "user", "unknown"
# Builtin functions that return their arguments or objects reached from them, or nothing
# mutable.
PASSING = frozenset("list tuple dict set frozenset sorted reversed iter next max min zip enumerate map filter len str int float range abs sum getattr type".split())
PASSING_METHODS = METHODS - frozenset(("read",))


def call(line, node):
    for a in node.args:
        line.visit(a)
    for k in node.keywords:
        line.visit(k.value)
    f = node.func
    kind = f.__class__.__name__
    if kind == "Name":
        line.roots.add(f.id)
        what = named(line, f)
        if what is USER:
            return
        if what is PURE:
            builtin(line, node, f.id)
        elif what is UNKNOWN:
            unknown(line, f, None)
        else:
            library(line, node, *what)
    elif kind == "Attribute":
        method(line, node, f)
    elif kind == "Lambda":
        line.visit(f)
    else:
        line.visit(f)
        unknown(line, f, None)


def named(line, f):
    """Returns what a called name refers to: PURE, USER, UNKNOWN, or (module, name)."""
    name = f.id
    found = line.scope.find(name)
    if found is None:
        for module in line.source.starred:
            if module not in CHANGING:
                return UNKNOWN
            if name not in BUILTINS:
                return module, name
        if not line.source.builtins:
            return UNKNOWN
        if name in BUILTINS or exception(name) or name in SPECIAL:
            return PURE
        return UNKNOWN
    kind = found[0]
    if kind == "def":
        return USER
    if kind == "class":
        return USER if plain_class(line, found[1]) else UNKNOWN
    if kind == "from" and found[1] in CHANGING:
        return found[1], found[2]
    return UNKNOWN


def plain_class(line, node, depth=0):
    """Returns whether the creation of an object of a class runs only the class's own
    code, or code that changes nothing."""
    if depth > 20:
        return False
    scope = line.source.module
    for d in node.decorator_list:
        d = getattr(d, "func", d)
        if (getattr(d, "attr", None) or getattr(d, "id", None)) not in ("dataclass", "total_ordering", "unique", "final"):
            return False
    for k in node.keywords:
        if k.arg == "metaclass" and (getattr(k.value, "attr", None) or getattr(k.value, "id", None)) not in ("ABCMeta", "EnumMeta", "type"):
            return False
    for base in node.bases:
        if base.__class__.__name__ == "Subscript":  # Generic[T]
            base = base.value
        if base.__class__.__name__ == "Attribute":
            root = module_of(line, base.value)
            if root not in CHANGING or base.attr not in PLAIN_BASES:
                return False
            continue
        if base.__class__.__name__ != "Name":
            return False
        found = scope.find(base.id)
        if found is None:
            if base.id not in PLAIN_BASES and not exception(base.id):
                return False
        elif found[0] == "class":
            if not plain_class(line, found[1], depth + 1):
                return False
        elif found[0] != "from" or found[1] not in CHANGING or found[2] not in PLAIN_BASES:
            return False
    return True


def module_of(line, node):
    """Returns the name of the module that an expression refers to, or None."""
    kind = node.__class__.__name__
    if kind == "Name":
        found = line.scope.find(node.id)
        if found is None:
            return None
        if found[0] == "import":
            return found[1]
        if found[0] == "from" and "%s.%s" % (found[1], found[2]) in CHANGING:
            return "%s.%s" % (found[1], found[2])
    elif kind == "Attribute":
        outer = module_of(line, node.value)
        if outer is not None:
            return "%s.%s" % (outer, node.attr)
    return None


SPECIAL = frozenset("exec eval __import__ setattr delattr breakpoint".split())


def builtin(line, node, name):
    args = node.args
    if name in ("exec", "eval", "breakpoint", "globals_"):
        line.rise(ALL)
    elif name in ("setattr", "delattr"):
        if len(args) < 2 or any(a.__class__.__name__ == "Starred" for a in args):
            line.rise(ALL)
            return
        attr = args[1]
        if attr.__class__.__name__ == "Constant" and attr.value.__class__ is str:
            line.uses(attr.value, args[0])
            line.place("attribute", args[0], attr.value)
        else:
            line.place("look", args[0], None)
            p = line.path(args[0])
            if p is not None and line.source.namespaces:
                line.found.append(("look", ("namespace", p), None, line.scope))
    elif name == "next":
        if args and line.path(args[0]) is not None:
            line.place("look", args[0], "next()")
    elif name == "super":
        pass
    calling(line, node, name)


def calling(line, node, name):
    """Handles the callables among the arguments of a function that calls them."""
    for which in CALLING.get(name, ()):
        if which.__class__ is int:
            if which < len(node.args) and not (name == "iter" and len(node.args) < 2):
                handed(line, node.args[which], name in LAZY)
        else:
            for k in node.keywords:
                if k.arg == which:
                    handed(line, k.value)
    for k in node.keywords:
        if k.arg is None and name in CALLING:
            line.rise(REACH)


def handed(line, node, later=False):
    """Handles a callable that is passed to a library function. later: it is called when
    elements are taken from the result, perhaps by other lines."""
    kind = node.__class__.__name__
    if kind in ("Lambda", "Constant"):
        return
    if kind == "Name":
        what = named(line, node)
        if what is USER or what is PURE and node.id not in SPECIAL:
            return
        if what is UNKNOWN or what is PURE or changed_argument(*what) is not None:
            unknown(line, node, LATER if later else None)
    elif kind == "Attribute":
        root = module_of(line, node.value)
        if root in CHANGING:
            if changed_argument(root, node.attr) is not None:
                line.rise(ALL)
        elif node.attr not in MUTATORS and node.attr not in METHODS and node.attr not in line.source.methods:
            unknown(line, node, LATER if later else None)
    elif kind == "Call" and node.func.__class__.__name__ in ("Name", "Attribute"):
        name = getattr(node.func, "id", None) or node.func.attr
        if name not in ("itemgetter", "attrgetter", "cmp_to_key"):
            line.rise(REACH)
    else:
        line.rise(REACH)


def changed_argument(module, name):
    """Returns the index of the argument that a library function changes, -1 if it may
    change anything, None if it changes nothing."""
    found = CHANGING[module].get(name, MISSING)
    return None if found is MISSING else -1 if found is None else found


MISSING = object()


def library(line, node, module, name):
    """Handles a call of a function in a known module."""
    which = changed_argument(module, name)
    if name == "deepcopy" and len(node.args) + len(node.keywords) < 2:
        which = None  # without a memo
    if which == -1:
        line.rise(ALL)
    elif which is not None:
        if which < len(node.args) and not any(a.__class__.__name__ == "Starred" for a in node.args):
            if module == "heapq" and name in ("heappush", "heappop"):
                line.place("call", node.args[which], name)
            else:
                line.place("look", node.args[which], None)
        else:
            line.rise(REACH)
    calling(line, node, name)


def method(line, node, f):
    name = f.attr
    root = module_of(line, f.value)
    if root is not None:
        if root in CHANGING:
            line.visit(f.value)
            library(line, node, root, name)
            return
        top = root.partition(".")[0]
        if top in CHANGING and name not in MUTATORS:
            line.visit(f.value)  # datetime.datetime.now(): a call of a class or an object of the module
            if name not in METHODS:
                line.rise(REACH)
            return
        if root == "asyncio" and name == "run":
            line.rise(ALL)
            return
        unknown(line, f.value, name)
        return
    if name in ("run_until_complete", "run_forever"):
        line.rise(ALL)  # an event loop: library code runs between the events
    receiver = f.value
    line.visit(receiver)
    if receiver.__class__.__name__ == "Call" and getattr(receiver.func, "id", None) == "super":
        first = line.scope.first
        if first is None:
            line.rise(ALL)
        else:
            line.found.append(("look", ("name", first), None, line.scope))
            line.roots.add(first)
            if name == "__init__":
                line.callees.append((("name", first), name, line.scope))  # code of its classes, or of a library
                return
            line.uses(name, None)
            if name not in METHODS and name not in MUTATORS and name not in line.source.methods:
                line.rise(REACH)
        return
    calling(line, node, name)
    if name == "__init__":
        unknown(line, receiver, name)
    else:
        line.uses(name, receiver)
    if name in MUTATORS:
        if node.args and unbound(line, receiver, name):
            line.place("look", node.args[0], None)  # a method of the class; the object may override it
        if name == "setdefault" or receiver.__class__.__name__ != "Constant":
            line.place("call", receiver, name)
        return
    if name in METHODS or name in line.source.methods:
        if name == "__next__":
            line.place("look", receiver, "next()")
        elif name == "format_map" or name == "format" and "[" in str(getattr(receiver, "value", "")):
            for a in node.args:
                line.indexes(a)
        if name in line.source.attributes:
            unknown(line, receiver, name)
        return
    unknown(line, receiver, name)


def unbound(line, receiver, name):
    """Returns whether a method may be called on a class: list.append(x, 1)."""
    if name.startswith("__"):
        return True
    if receiver.__class__.__name__ == "Attribute":
        return module_of(line, receiver.value) is not None
    if receiver.__class__.__name__ != "Name":
        return False
    found = line.scope.find(receiver.id)
    return found is None or found[0] in ("class", "from")


def unknown(line, node, name):
    """Handles a call that the source does not explain: the value, or its method, is
    examined after the line ran."""
    p = line.path(node)
    if p is not None:
        line.callees.append((p, name, line.scope))
    else:
        line.reached(node)


def delegates(line, node):
    """Returns whether the awaited expression is a coroutine of this file, whose own
    lines have their effects."""
    if node.__class__.__name__ != "Call":
        return False
    f = node.func
    if f.__class__.__name__ == "Name":
        return named(line, f) is USER
    return f.__class__.__name__ == "Attribute" and f.attr in line.source.methods and f.attr not in METHODS


def decorator(line, node):
    """Handles a decorator, which is called with the function or class."""
    f = getattr(node, "func", None)
    if f is not None:
        node = f
    kind = node.__class__.__name__
    if kind == "Name":
        if node.id in BUILTINS and line.scope.find(node.id) is None:
            return
        what = named(line, node)
        if what == ("enum", "global_enum"):
            line.rise(ALL)  # it binds names of the module
        if what is USER and f is None or what.__class__ is tuple:
            return
        if what is USER:
            return  # its call ran code of this file, which also chose the decorator
        unknown(line, node, None)
    elif kind == "Attribute":
        if module_of(line, node.value) in CHANGING or node.attr in ("setter", "getter", "deleter", "register"):
            return
        unknown(line, node, None)
    else:
        line.rise(REACH)


def makes_manager(line, node):
    """Returns whether a call returns a context manager whose entry and exit run code of
    the program or change nothing."""
    f = node.func
    if f.__class__.__name__ == "Name":
        if f.id == "open" and line.scope.find("open") is None:
            return True
        what = named(line, f)
        if what is USER:
            return True
        if what.__class__ is tuple:
            return what[0] in CHANGING and what[1] not in CLOSES
        found = line.scope.find(f.id)
        return found is not None and found[0] == "other" and f.id in line.source.generators
    if f.__class__.__name__ == "Attribute":
        if module_of(line, f.value) in CHANGING:
            return f.attr not in CLOSES
        return f.attr in ("open", "acquire")
    return False


def gives_what_it_got(line, node):
    """Returns whether the result of a call is new, or can be reached from its
    arguments."""
    f = node.func
    if f.__class__.__name__ == "Name":
        what = named(line, f)
        if what is PURE:
            return f.id not in NAMESPACES and f.id not in SPECIAL and (f.id in PASSING or exception(f.id))
        if what is USER:
            found = line.scope.find(f.id)
            return False if found[0] == "def" else False
        return what is not UNKNOWN and what[0] in ("copy", "collections", "itertools", "operator", "heapq") and what[1] not in ("heappop",)
    if f.__class__.__name__ == "Attribute":
        root = module_of(line, f.value)
        if root is not None:
            return root in ("copy", "collections", "itertools", "operator")
        if f.attr == "get" and not node.args:
            return False  # Queue.get: the queue no longer refers to the item
        return f.attr in PASSING_METHODS and f.attr not in line.source.methods
    return False
