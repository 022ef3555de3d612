"""What is known of the standard library's types, and of a few others that
programs hold: which never change, and how the code that makes a __repr__ is
recognised.

Modules of the program are looked at, never imported.
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

files = {}  # co_filename -> what usercode knows of a file of user code; set by it


def is_users_code(function):
    """Whether a function is the program's own."""
    return type(function) is FunctionType and bool(files.get(function.__code__.co_filename))


def is_users_module(name):
    """Whether a module, by its name, is the program's own."""
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
    """Whether a class is the program's own."""
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
    """What two atoms share that look the same: 0.0 and -0.0, 1 and True do not."""
    return type(value), value if type(value) is not float or value else repr(value)


def origin(function):
    """Module and qualified name of a function of the library's."""
    if is_users_code(function):
        return None
    module = function.__module__
    return (module, function.__qualname__) if type(module) is str else None


def written_class(module, name):
    """A class of a module that the program has loaded; None where it has not."""
    found = sys.modules.get(module)
    if type(found) is not render.ModuleType:
        return None
    found = object.__getattribute__(found, "__dict__").get(name)
    return found if type(found) is type else None


quiet.users_code, quiet.users_class = is_users_code, is_users_class

# ---- what makes a __repr__ -----------------------------------------------------


def dataclass_fields(method):
    """The names that a __repr__ shows that dataclasses made; None of any other.
    Such a one is told by its code: "self.__class__.__qualname__(x=…, y=…)"."""
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
    """The names that a __repr__ shows that collections.namedtuple made."""
    code = method.__code__
    if code.co_name != "__repr__" or code.co_freevars != ("repr_fmt",) or is_users_code(method):
        return None
    text = method.__closure__[0].cell_contents
    parts = text[1:-1].split(", ") if text != "()" else []
    if not all(part.endswith("=%r") for part in parts):
        return None
    return tuple(part[:-3] for part in parts)


# ---- what never changes ----------------------------------------------------------

# Classes, with those derived from them, whose instances look the same for ever.
CONSTANT = {
    "builtins": "int float complex str bytes type function builtin_function_or_method module method_descriptor "
    "wrapper_descriptor method-wrapper getset_descriptor member_descriptor classmethod_descriptor code generator "
    "coroutine async_generator traceback property",
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
    """What a table has by module and name of a class; None where nothing."""
    names = table.get(module_of(cls))
    if names is None:
        return None
    if type(names) is dict:
        return names.get(name_of(cls))
    return True if name_of(cls) in names else None


def constant(cls, bases):
    """Whether instances of a class of the library's never look otherwise."""
    if any(named(c, CONSTANT) for c in bases):
        return True
    return issubclass(cls, tuple) and "n_sequence_fields" in dict_of(cls)  # time.struct_time


def constant_by(method, bases):
    """Whether a user's class looks always the same: its __repr__ is one of these
    types' own."""
    if is_users_code(method):
        return False
    for c in bases:
        if dict_of(c).get("__repr__") is method:
            return c is not object and bool(named(c, CONSTANT))
    return False
