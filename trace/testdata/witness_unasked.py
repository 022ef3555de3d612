"""The texts of values as a recording has them that runs none of the program's code.

What a recording reads from an object without its __repr__, the witness lets CPython show:
each __repr__ of the program's is replaced for the moment by one that shows attributes.
"""

import collections
import gc
import sys
import types
import weakref


class Unasked:
    """Has render tell values as with asked set."""

    def __init__(self, program, render, quiet):
        self.program, self.render, self.quiet = program, render, quiet
        self.original = quiet.unasked

    def install(self):
        self.quiet.users_code, self.quiet.users_class = self.users_code, self.users_class
        self.render.asked = True
        self.render.unasked = self.text

    def users_code(self, function):
        return type(function) is types.FunctionType and self.program.owns(function.__code__)

    def users_class(self, cls):
        name = self.quiet.dict_of(cls).get("__module__")
        if name == "__main__":
            return True
        module = sys.modules.get(name) if type(name) is str else None
        path = getattr(module, "__file__", None)
        return type(path) is str and self.program.owns(types.SimpleNamespace(co_filename=path))

    def text(self, value, kind, level, nesting, path):
        render, quiet = self.render, self.quiet
        if issubclass(kind, (types.ModuleType, type, weakref.ref)):
            return self.original(value, kind, level, nesting, path)
        method = render.lookup(kind, "__repr__")
        if quiet.quiet(value, kind, method):
            return None
        if self.users_code(method) or any(map(self.users_class, render.mro_of(kind))) and not self.made(kind, method):
            return self.own(value, kind, level, nesting, path)
        if not issubclass(kind, STRUCTURED) and not self.made(kind, method):
            return render.name_of(kind) + "(...)"
        return self.shown(value, method, level, nesting, path)

    def made(self, kind, method):
        """Whether a class shows its fields by a method that the library wrote."""
        fields = self.render.lookup(kind, "__dataclass_fields__")
        return hasattr(method, "__wrapped__") and fields is not None or hasattr(kind, "_fields")

    def own(self, value, kind, level, nesting, path):
        """Of a class whose __repr__ is the program's."""
        for base in BASES:
            if issubclass(kind, base):
                if base is set or base is frozenset or base is collections.deque:
                    if self.render.lookup(kind, "__iter__") is not base.__iter__:
                        break
                return self.shown(value, base.__repr__, level, nesting, path)
        return self.render.attributes(value, kind, level, nesting, path)

    def shown(self, value, method, level, nesting, path):
        """What a method of the library's says while the program's are replaced."""
        render = self.render

        def by_attributes(one):
            return self.own(one, type(one), level, nesting, path)

        replaced = []
        for cls in self.classes(value):
            theirs = render.dict_of(cls).get("__repr__")
            if self.users_code(theirs):
                replaced.append((cls, theirs))
                type.__setattr__(cls, "__repr__", by_attributes)
        try:
            return render.without_addresses(method(value))
        except Exception:  # an object that __init__ has not finished
            return render.attributes(value, type(value), level, nesting, path)
        finally:
            for cls, theirs in replaced:
                type.__setattr__(cls, "__repr__", theirs)

    def classes(self, value):
        """The program's classes of all that a value reaches."""
        found, seen, todo = set(), {id(value)}, [value]
        for one in todo:  # grows
            found.update(c for c in self.render.mro_of(type(one)) if self.users_class(c))
            for x in gc.get_referents(one):
                if id(x) not in seen and not issubclass(type(x), self.render.DEFINED):
                    seen.add(id(x))
                    todo.append(x)
        return found


BASES = (list, tuple, set, frozenset, collections.deque, collections.OrderedDict, collections.defaultdict, dict)
if sys.version_info >= (3, 15):
    BASES += (frozendict,)
STRUCTURED = (
    *BASES, collections.UserDict, collections.UserList, collections.ChainMap, types.SimpleNamespace, types.MethodType,
    types.MappingProxyType, type({}.keys()), type({}.values()), type({}.items()), BaseException, slice,
)  # fmt: skip
