"""Facts about the types of the standard library, and of a few other libraries: which
types never change, and which generated __repr__ functions are known.

Modules of the program are read, never imported.
"""

import sys

from _npdb import library, quiet, render

version = sys.version_info[:2]
mro_of, dict_of, name_of = render.mro_of, render.dict_of, render.name_of
FunctionType = render.FunctionType

collections = library.take("_collections")
deque, defaultdict, OrderedDict = collections.deque, collections.defaultdict, collections.OrderedDict
get_referents = library.take("gc").get_referents
SimpleNamespace = type(sys.implementation)
the_module_of = type.__dict__["__module__"].__get__
MappingProxy = type(type.__dict__)
ArgsOf = BaseException.__dict__["args"]


class Bound:
    def method(self):
        pass


MethodType = type(Bound().method)
FUNCTIONS = frozenset((FunctionType, render.BuiltinType))

files = {}  # co_filename -> usercode's File of a file of user code; set by usercode


def is_users_code(function):
    """Returns whether a function belongs to the program."""
    return type(function) is FunctionType and bool(files.get(function.__code__.co_filename))


def is_users_module(name):
    """Returns whether a module, by its name, belongs to the program."""
    if name == "__main__":
        return True
    if type(name) is not str:
        return False
    module = sys.modules.get(name)
    if type(module) is not render.ModuleType:
        return False
    path = object.__getattribute__(module, "__dict__").get("__file__")
    return type(path) is str and bool(files.get(path))


def is_users_class(cls):
    """Returns whether a class belongs to the program."""
    return is_users_module(module_of(cls))


def module_of(cls):
    try:
        module = the_module_of(cls)
    except AttributeError:
        return None
    return module if type(module) is str else None


def has_base(cls, module, name):
    return any(name_of(c) == name and module_of(c) == module for c in mro_of(cls))


def told_apart(value):
    """Returns a key that only atoms with the same text share: 0.0 and -0.0, or 1 and
    True, have different keys."""
    return type(value), value if type(value) is not float or value else repr(value)


def origin(function):
    """Returns the module and qualified name of a library function."""
    if is_users_code(function):
        return None
    module = function.__module__
    return (module, function.__qualname__) if type(module) is str else None


def written_class(module, name):
    """Returns a class of a module that the program has loaded, or None if it has not."""
    found = sys.modules.get(module)
    if type(found) is not render.ModuleType:
        return None
    found = object.__getattribute__(found, "__dict__").get(name)
    return found if type(found) is type else None


quiet.users_code, quiet.users_class, quiet.users_module = is_users_code, is_users_class, is_users_module

# ---- generated __repr__ functions ---------------------------------------------


def dataclass_fields(method):
    """Returns the names that a __repr__ made by dataclasses displays, or None for any
    other. It is recognised by its code: "self.__class__.__qualname__(x=…, y=…)"."""
    inner = method.__dict__.get("__wrapped__")
    if type(inner) is not FunctionType or method.__code__.co_name != "wrapper":
        return None
    code = inner.__code__
    if code.co_filename != "<string>" or code.co_names[:2] != ("__class__", "__qualname__"):
        return None
    names = code.co_names[2:]
    said = tuple(text for text in code.co_consts if type(text) is str)
    wanted = ["(" + "=".join(names[:1]) + "="] if names else ["()"]
    wanted += [", " + name + "=" for name in names[1:]]
    if names:
        wanted.append(")")
    if said[-len(wanted) :] != tuple(wanted):
        return None
    return names


def namedtuple_fields(method):
    """Returns the names that a __repr__ made by collections.namedtuple displays."""
    code = method.__code__
    if code.co_name != "__repr__" or code.co_freevars != ("repr_fmt",) or is_users_code(method):
        return None
    text = method.__closure__[0].cell_contents
    parts = text[1:-1].split(", ") if text != "()" else []
    if not all(part.endswith("=%r") for part in parts):
        return None
    return tuple(part[:-3] for part in parts)


# ---- types that never change -----------------------------------------------------

# Classes whose instances, including those of derived classes, are always displayed the
# same.
CONSTANT = {
    "builtins": "int float complex str bytes type function builtin_function_or_method module method_descriptor "
    "wrapper_descriptor method-wrapper getset_descriptor member_descriptor classmethod_descriptor code generator "
    "coroutine async_generator traceback property sentinel",
    "types": "GenericAlias UnionType CapsuleType",
    "_typing": "_idfunc",
    "datetime": "date time timedelta tzinfo",
    "decimal": "Decimal",
    "_decimal": "Decimal",
    "_pydecimal": "Decimal",
    "fractions": "Fraction",
    "uuid": "UUID",
    "pathlib": "PurePath",
    "pathlib._local": "PurePath",
    "re": "Pattern Match",
    "ipaddress": "_IPAddressBase",
    "zoneinfo": "ZoneInfo",
    "enum": "Enum",
    "numpy": "generic dtype",
    "inspect": "Parameter Signature",
    "dataclasses": "Field _MISSING_TYPE",
    "operator": "itemgetter attrgetter methodcaller",
    "string": "Template",
    "sys": "flags float_info hash_info int_info thread_info version_info",
    "typing": "TypeVar ParamSpec _Final _GenericAlias ForwardRef NewType",
}
CONSTANT = {module: frozenset(names.split()) for module, names in CONSTANT.items()}


def named(cls, table):
    """Returns the entry of a table for the module and name of a class, or None."""
    names = table.get(module_of(cls))
    if names is None:
        return None
    if type(names) is dict:
        return names.get(name_of(cls))
    return True if name_of(cls) in names else None


def constant(cls, bases):
    """Returns whether instances of a library class are always displayed the same."""
    if any(named(c, CONSTANT) for c in bases):
        return True
    return issubclass(cls, tuple) and "n_sequence_fields" in dict_of(cls)  # time.struct_time


def constant_by(method, bases):
    """Returns whether instances of a user's class are always displayed the same,
    because it inherits the __repr__ of such a type."""
    if is_users_code(method):
        return False
    for c in bases:
        if dict_of(c).get("__repr__") is method:
            return c is not object and bool(named(c, CONSTANT))
    return False
