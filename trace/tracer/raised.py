"""Records of exceptions."""

from _npdb import render as values
from _npdb.channel import encode
from _npdb.codes import END, SAID
from _npdb.quiet import quiet_words
from _npdb.render import lookup, name_of

qualname_of = type.__dict__["__qualname__"].__get__
module_of = type.__dict__["__module__"].__get__
args_of = BaseException.__dict__["args"].__get__
traceback_of = BaseException.__dict__["__traceback__"].__get__
cause_of = BaseException.__dict__["__cause__"].__get__
context_of = BaseException.__dict__["__context__"].__get__
suppresses_context = BaseException.__dict__["__suppress_context__"].__get__
message_of = SyntaxError.__dict__["msg"].__get__
HERE = ("builtins", "__main__")  # modules whose classes are named without the module
mute = {}  # id of an exception class whose __str__ is not called again -> the class


def raising(arg):
    """Returns the end of the record of an exception: its repr, and its message if
    needed."""
    value = raised_value(arg)
    tail = encode(values.render(value)) + END
    said = words(value)
    return tail if said is None else tail + SAID + encode(said) + END


def words(value):
    """Returns the message at the end of a traceback, "TYPE: TEXT". Returns None if it
    follows from the repr, as in most cases, or if only code of the program could give
    it."""
    kind = type(value)
    if not issubclass(kind, BaseException) or id(kind) in mute:
        return None
    try:
        name, module = qualname_of(kind), module_of(kind)
        method = lookup(kind, "__str__")
        if (
            (method is BaseException.__str__ or method is KeyError.__str__)
            and lookup(kind, "__repr__") is BaseException.__repr__
            and (module in HERE and name == name_of(kind))
            and all(type(arg) in values.ATOMS for arg in args_of(value))
        ):
            return None
        if values.asked and not values.asking and not quiet_words(value, kind):
            return None
        if module not in HERE:
            name = "%s.%s" % (module, name)
        if method is SyntaxError.__str__ and type(message_of(value)) is str:
            text = message_of(value)
        else:
            text = values.watched(value, str, method)
        text = values.cut(values.without_addresses(text))
    except values.Refused:
        values.guard["printed"] = False
        mute[id(kind)] = kind
        return None
    except (RecursionError, MemoryError):
        return None
    except BaseException as e:
        values.let_through(e)
        text = "<exception str() failed>"
    return "%s: %s" % (name, text) if text else name


def raised_value(arg):
    kind, value, _ = arg
    if isinstance(value, BaseException):
        return value
    try:
        if value is None:
            return kind()
        return kind(*value) if isinstance(value, tuple) else kind(value)
    except BaseException as e:
        values.let_through(e)
        return value
