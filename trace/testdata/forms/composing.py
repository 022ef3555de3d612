"""Puts the text of a value together from what forms.py says of it and its
shallow content: what npdb does with a recording, written down once more."""

import os
import sys


def load(folder):
    package = type(sys)("_npdb")
    package.__path__ = []
    sys.modules["_npdb"] = package
    for name in ("bound", "library", "render", "quiet", "forms_library", "forms_arrays", "forms_reading", "forms_shapes", "forms"):
        with open("%s/%s.py" % (folder, name)) as f:
            code = compile(f.read(), name + ".py", "exec", dont_inherit=True)
        module = type(sys)("_npdb." + name)
        sys.modules["_npdb." + name] = module
        setattr(package, name, module)
        exec(code, module.__dict__)
    return package


npdb = load(sys.argv[1])
forms, render = npdb.forms, npdb.render
HERE = os.path.dirname(__file__)
for path in [os.path.abspath(sys.argv[0])] + [os.path.join(HERE, name) for name in os.listdir(HERE)]:
    npdb.forms_library.files[path] = True  # which are the user code here


class Fails(Exception):
    """A __repr__ within that of another raises."""


def content(value, kind):
    """Elements, pairs, or attributes, by what a value is."""
    if kind.what is forms.DICT:
        return list(zip(*map(list, kind.items(value)))) if not kind.exact else list(value.items())
    if kind.what is forms.ATTRIBUTES:
        return list(kind.members(value).items())
    items = list(value) if kind.exact else kind.items(value)
    assert type(items) is list
    return items


def known(value):
    """The text of an atom, and the TEXT record of an object that has one; None for others."""
    cls = type(value)
    if cls in render.ATOMS:
        return render.atom(value)
    kind = forms.of(cls)
    return kind.text(value) if kind.what is forms.TEXT or kind.asks is not None else None


def text(value):
    try:
        return walk(value, 0, 0, ())
    except Fails:
        raise AssertionError("not caught")


def walk(value, level, nesting, path):
    said = known(value)
    if said is not None:
        return said
    kind = forms.of(type(value))
    form = kind.form(value)
    assert type(form) is tuple and all(type(field) is str for field in form), form
    what, name, opening, closing, empty, single, cycle, style = form[:8]
    if style == "repr":
        try:
            return render.without_addresses(inner(value, ()))
        except Fails:
            what, opening, closing, cycle = "failed", name + "(", ")", name + "(...)"
    if what == "attributes" or what == "failed":
        if id(value) in path or level >= render.OBJECT_LEVELS or nesting >= render.NESTING:
            return name + "(...)"
        pairs = content(value, kind) if kind.what is forms.ATTRIBUTES else []
        if form[0] != "attributes":
            pairs = [(n, x) for n, x in pairs if n not in form[10:]]
        path += (id(value),)
        parts = ["%s=%s" % (n, walk(x, level + 1, nesting + 1, path)) for n, x in pairs]
        found = name + "(%s)" % ", ".join(parts)
        return found if form[8] else render.without_addresses(found)
    parts = content(value, kind)
    if not parts:
        return empty or opening + closing
    if id(value) in path:
        return cycle
    if nesting >= render.NESTING:
        return opening + "… nested deeper" + closing
    path += (id(value),)
    if what == "dict":
        parts = ["%s: %s" % (walk(k, level, nesting + 1, path), walk(x, level, nesting + 1, path)) for k, x in parts]
    else:
        parts = [walk(x, level, nesting + 1, path) for x in parts]
    return opening + ", ".join(parts) + (single if len(parts) == 1 else "") + closing


def inner(value, path):
    """As CPython's repr shows it."""
    said = known(value)
    if said is not None:
        return said
    kind = forms.of(type(value))
    form = kind.form(value)
    what, name, opening, closing, empty, single, cycle, style, bare = form[:9]
    shown = form[11:]
    if what == "attributes" and style == "walk":
        if not bare:
            raise Fails
        return bare
    if id(value) in path and cycle:
        return cycle
    path += (id(value),)
    parts = content(value, kind)
    if what in ("inner", "spread", "keys", "values", "items"):
        found = dict(parts)
        if shown[0] not in found:
            raise Fails
        return opening + through(what, found[shown[0]], path) + closing
    if what == "bytes":
        return opening + literal(bytes(parts)) + closing
    if what == "attributes":
        found = dict(parts)
        if not all(n in found for n in shown):
            raise Fails
        parts = ["%s=%s" % (n, inner(found[n], path)) for n in shown or found]
    elif what == "counter":
        if all(type(x) in (int, bool) for _, x in parts):
            parts.sort(key=lambda pair: -pair[1])
        parts = ["%s: %s" % (inner(k, path), inner(x, path)) for k, x in parts]
    elif what == "dict":
        parts = ["%s: %s" % (inner(k, path), inner(x, path)) for k, x in parts]
    elif what == "pairs":
        parts = ["(%s, %s)" % (inner(k, path), inner(x, path)) for k, x in parts]
    elif shown:
        parts = ["%s=%s" % (n, inner(x, path)) for n, x in zip(shown, parts)]
    else:
        parts = [inner(x, path) for x in parts]
    if not parts:
        return empty or opening + closing
    return opening + ", ".join(parts) + (single if len(parts) == 1 else "") + closing


def literal(data):
    """As bytearray shows it, which escapes every single quote."""
    body = repr(b'"' + data)[3:-1].replace("\\'", "'").replace("'", "\\'")
    quote = '"' if b"'" in data and b'"' not in data else "'"
    return "b" + quote + body + quote


def through(what, value, path):
    """What an attribute holds."""
    if what == "inner":
        return inner(value, path)
    if what == "spread":
        if type(value) is tuple and len(value) > 1:
            return inner(value, path)[1:-1]
        return ", ".join([inner(x, path) for x in content(value, forms.of(type(value)))])
    pairs = content(value, forms.of(type(value)))
    if what == "items":
        return "[%s]" % ", ".join(["(%s, %s)" % (inner(k, path), inner(x, path)) for k, x in pairs])
    return "[%s]" % ", ".join([inner(pair[what == "values"], path) for pair in pairs])
