"""Decides which programs may share a process with others, one after the other.

Forking a process, its page faults and its end take several times as long as recording a
program. So one process records many programs, as long as no program can notice that. This
module lists the names that a program may use: things that keep no state for the next program
and give no access to anything else. type() and lookups by a computed name are not in the list.
Of modules it contains only functions without state. A program that defines classes or sets
attributes may use no modules at all. All other programs run in a process of their own.

The decision is based on the code alone, before any of it runs. A program that ran may still
have changed something, so `Surroundings` compares everything that the next program could see.
"""

import bisect
import builtins
import collections
import copy
import functools
import gc
import heapq
import itertools
import math
import operator
import re
import string
import sys
import typing
import warnings
from _thread import _count as threads
from opcode import opmap
from types import CodeType, ModuleType

together = False  # this process also records other programs
doubtful = False  # doubt() was called; reset before each program


class Alone(BaseException):
    """Raised if the program must run in a process of its own, before any of it has run."""


def public(module, less=()):
    return {name for name, value in vars(module).items() if name[0] != "_" and not isinstance(value, ModuleType)} - set(less)


MODULES = {
    math: public(math, ("nan",)),  # nan is hashed by its address
    itertools: public(itertools),
    heapq: public(heapq),
    bisect: public(bisect),
    string: public(string, ("Formatter", "Template")),  # they look attributes up
    operator: public(operator, ("attrgetter", "methodcaller", "call")),
    functools: {"cache", "cmp_to_key", "lru_cache", "partial", "reduce"},
    collections: {"ChainMap", "Counter", "OrderedDict", "defaultdict", "deque", "namedtuple"},
    copy: {"copy", "deepcopy"},
    re: {
        "A", "ASCII", "DOTALL", "I", "IGNORECASE", "M", "MULTILINE", "S", "VERBOSE", "X", "error", "escape", "findall",
        "finditer", "fullmatch", "match", "search", "split", "sub", "subn",
    },
    typing: {"Any", "Callable", "Dict", "Iterable", "Iterator", "List", "Optional", "Sequence", "Set", "Tuple", "Union"},
}
BY_NAME = {module.__name__: names for module, names in MODULES.items()}
REFUSED = {  # built-in functions that look up names, run code, show addresses, or have side effects
    "__build_class__", "__import__", "breakpoint", "compile", "copyright", "credits", "delattr", "dir", "eval", "exec", "exit", "getattr",
    "globals", "hash", "help", "id", "input", "license", "locals", "memoryview", "open", "quit", "setattr", "type", "vars",
}
OF_VALUES = (
    int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice, collections.deque, collections.Counter,
    collections.OrderedDict, collections.defaultdict, collections.ChainMap, BaseException, StopIteration, type((n for n in ())),
    re.Pattern, re.Match,
)
# The methods that a class may define, and the names that its body binds implicitly. None of them
# affects the lookup of attributes, the check for instances, or the end of an object.
METHODS = {
    "__%s__" % name
    for name in """
    abs add and annotate annotations annotate_func aiter anext await bool call classcell classdict classdictcell class_getitem contains delitem
    doc enter eq exit aenter aexit firstlineno float floordiv format ge getattr getitem gt hash iadd iand ifloordiv ilshift
    imatmul imod imul index init int invert ior ipow irshift isub iter itruediv ixor le len length_hint lshift lt matmul missing mod
    module mul name ne neg next or pos pow qualname radd rand rdivmod divmod repr reversed rfloordiv rlshift rmatmul rmod rmul ror
    round rpow rrshift rshift rsub rtruediv rxor set_name static_attributes str sub truediv trunc xor
    """.split()
}
INSIDE = ("gi_", "cr_", "ag_", "tb_", "f_", "co_")  # beginnings of attributes that lead to frames and their contents


def named(kinds):
    return {name for kind in kinds for name in dir(kind) if name[0] != "_" and not name.startswith(INSIDE)}


BUILTINS = {name for name in vars(builtins) if name not in REFUSED and not name.startswith("__")}
# The names that a program may use, as a global or as an attribute. Code objects do not show which
# of the two a name is.
HARMLESS = (
    frozenset().union(BUILTINS, named(OF_VALUES), *MODULES.values(), BY_NAME)
    | METHODS
    | {"_asdict", "_fields", "_make", "_replace", "cache_clear", "cache_info", "deleter", "getter", "setter"}
) - REFUSED - {"with_traceback"}
# The names that a program must not bind, because the same name could be used as an attribute.
TAKEN = frozenset(
    {name for module in MODULES for name in vars(module)}.union(REFUSED, dir(type), dir(public), dir(ModuleType))
) - HARMLESS


def ops_of(*names):
    return frozenset(opmap[name] for name in names if name in opmap)


NEVER = ops_of("IMPORT_STAR")
PATTERNS = ops_of("MATCH_CLASS")
CLASSES = ops_of("LOAD_BUILD_CLASS")
ATTRIBUTES = ops_of("STORE_ATTR", "DELETE_ATTR")
IMPORTS = ops_of("IMPORT_NAME")
SETS = ops_of("BUILD_SET", "SET_ADD", "SET_UPDATE")
BINDING = ops_of("STORE_NAME", "STORE_GLOBAL") | ATTRIBUTES
NAMING = BINDING | IMPORTS
ARGUMENT, IMPORT, IMPORT_FROM = opmap["EXTENDED_ARG"], opmap["IMPORT_NAME"], opmap["IMPORT_FROM"]


def admit(code, entry=None, bound=()):
    """Checks whether code may run in this process. It raises Alone if this process records several
    programs and the code of a module or the text of a call could affect the next program. bound
    are names that are already defined for the code."""
    if not together:
        return
    codes = [code]
    if entry:
        try:
            codes.append(compile(entry.strip(), "<entry>", "eval", dont_inherit=True))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Alone from None
    if not harmless(codes, bound):
        raise Alone


def doubt():
    """Marks this recording as doubtful: it may differ from that of a process that records only
    this program."""
    global doubtful
    doubtful = True


def harmless(codes, bound=()):
    """Returns whether code has no effects that other programs could notice, and cannot notice
    effects of others."""
    todo, names, own, ops = list(codes), set(), set(), set()
    while todo:
        code = todo.pop()
        bytecode = code.co_code
        here = set(bytecode[::2])
        ops |= here
        names.update(code.co_names)
        if not NAMING.isdisjoint(here) and not bind(code, bytecode, own):
            return False
        for const in code.co_consts:
            if type(const) is CodeType:
                todo.append(const)
            elif type(const) is tuple and not PATTERNS.isdisjoint(here):
                names.update(one for one in const if type(one) is str)  # code objects do not show whether these are names of attributes
            elif type(const) is str and ("__" in const and const != "__main__" or const.lower() == "nan"):
                return False  # a lookup by format(), or a value whose hash depends on its address
    if not NEVER.isdisjoint(ops):
        return False
    if not CLASSES.isdisjoint(ops) and not (SETS.isdisjoint(ops) and names.isdisjoint(("set", "frozenset"))):
        return False  # the order of sets of objects depends on addresses
    if not IMPORTS.isdisjoint(ops) and not (CLASSES | ATTRIBUTES).isdisjoint(ops):
        return False
    names -= HARMLESS
    return names <= own.union(bound) and ours(own | names)


def ours(names):
    """Returns whether the program may bind all of these names, because none is also the name of
    something that it must not reach."""
    return TAKEN.isdisjoint(names) and not any(name.startswith(INSIDE) or "__" in name[:2] and name not in HARMLESS for name in names)


def bind(code, bytecode, own):
    """Adds the names that code binds to own, except variables of functions. Returns False if the
    code imports something forbidden."""
    names, high, module = code.co_names, 0, None
    for op, low in zip(bytecode[::2], bytecode[1::2]):
        arg = high << 8 | low
        high = arg if op == ARGUMENT else 0
        if op == IMPORT:
            module = BY_NAME.get(names[arg])
            if module is None:
                return False
        elif op == IMPORT_FROM:
            if names[arg] not in module:
                return False
        elif op in BINDING:
            own.add(names[arg])
    return True


class Surroundings:
    """The state of the process that a program can see, apart from the program's own state."""

    def __init__(self):
        classes = {
            value
            for module in (*MODULES, builtins)
            for value in vars(module).values()
            if isinstance(value, type) and value.__flags__ & 1 << 9  # a class created at run time, whose attributes can be set
        }
        self.spaces = [(vars(one), dict(vars(one))) for one in (*MODULES, builtins, *classes)]
        self.spaces += [(sys.modules, dict(sys.modules)), (warnings.filters, list(warnings.filters)), (sys.path, list(sys.path))]
        self.state = self.look()

    def look(self):
        return (
            sys.stdin, sys.stdout, sys.stderr, sys.excepthook, sys.unraisablehook, sys.displayhook, sys.argv, sys.gettrace(), sys.getprofile(),
            sys.getrecursionlimit(), sys.getswitchinterval(), gc.isenabled(), gc.get_threshold(), threads(),
        )

    def same(self):
        return self.look() == self.state and all(now == before for now, before in self.spaces)
