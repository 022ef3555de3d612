"""Reads arrays and data frames from memory as rows and columns, with ndarray's C methods and
the attributes of pandas objects. It runs none of the program's code.
"""

from _npdb import forms_arrays as arrays
from _npdb import forms_library as known
from _npdb import moves, render
from _npdb.render import dict_of, mro_of

named = moves.load("named")
member = arrays.member

MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 1000, 200, 50000
PART, ROW, CELL = "\x1d", "\x1e", "\x1f"  # the separators in a reply
CONTROLS = {ord(c): " " for c in PART + ROW + CELL}
NUMBERS = {"i": "int", "u": "uint", "f": "float", "c": "complex"}
TIMES = {"M": "datetime64", "m": "timedelta64"}
LONGEST = 200  # maximum characters of a cell


def grid(frame, text):
    """Returns the shape, dtype, column labels, dtypes of columns, row labels and rows of the
    value of an access like a.b['c'][0]."""
    value = follow(frame, text)
    cls = type(value)
    base = array_class(cls)
    if base is not None:
        parts = of_array(Array(base), value)
    elif known.named(cls, arrays.FRAMES):
        parts = of_frame(value)
    else:
        raise TypeError("%s is not an array or data frame" % text)
    shape, kind, columns, kinds, labels, rows = parts
    body = ROW.join(CELL.join(map(clean, row)) for row in rows)
    lists = [CELL.join(map(clean, part)) for part in (columns, kinds, labels)]
    return PART.join([repr(tuple(shape)), kind] + lists + [body]), False, False


def clean(text):
    return (text if len(text) <= LONGEST else text[:LONGEST] + "…").translate(CONTROLS)


def follow(frame, text):
    """Returns the value of an access of names, attributes and literal keys. It raises an
    error if a part is computed."""
    ast = named.library.take("ast")
    steps = []
    node = ast.parse(text.strip(), mode="eval").body
    while type(node) is ast.Subscript:
        key = getattr(node.slice, "value", node.slice) if type(node.slice).__name__ == "Index" else node.slice
        steps.append(ast.literal_eval(key))
        node = node.value
    if not named_by(ast, node):
        raise TypeError("%s is more than names, attributes and literal keys" % text)
    found, value = named.standing(frame, ast_text(ast, node))
    if not found:
        raise NameError("%s is computed" % text)
    for key in reversed(steps):
        if type(value) not in (list, tuple, dict):
            raise TypeError("an element of %s is computed" % text)
        value = value[key]
    return value


def named_by(ast, node):
    while type(node) is ast.Attribute:
        node = node.value
    return type(node) is ast.Name


def ast_text(ast, node):
    names = []
    while type(node) is ast.Attribute:
        names.insert(0, node.attr)
        node = node.value
    return ".".join([node.id] + names)


def array_class(cls):
    """Returns numpy's ndarray if a class is or derives from it, else None."""
    return next((c for c in mro_of(cls) if known.named(c, {"numpy": frozenset(("ndarray",))})), None)


class Array(arrays.Array):
    """Reads an array through a view as a plain ndarray."""

    def __init__(self, base):
        arrays.Array.__init__(self, base)
        members = dict_of(base)
        self.view, self.as_type = members["view"], members["astype"]

    def plain(self, value):
        return value if type(value) is self.base else self.view(value, self.base)

    def texts(self, value, kind):
        """Returns the texts of the elements of a one-dimensional array."""
        if kind.kind in TIMES:
            value = self.as_type(value, "U")
            return [x.rstrip("0").rstrip(".") if "." in x else x for x in self.list(value)]
        return [text_of(x) for x in self.list(value)]


def text_of(x):
    if type(x) is bool or type(x) in NUMERIC:
        return repr(x)
    return render.render(x)


NUMERIC = (int, float, complex)


def name_of(kind):
    """Returns the name of a dtype."""
    if kind.kind in NUMBERS:
        return "%s%d" % (NUMBERS[kind.kind], kind.itemsize * 8)
    if kind.kind in TIMES:
        return TIMES[kind.kind] + kind.str[3:]
    if kind.kind == "V" and kind.names:
        return "structured"
    return {"b": "bool", "O": "object"}.get(kind.kind, kind.str)


def of_array(read, value):
    value = read.plain(value)
    kind, shape = read.kind_of(value), read.shape(value)
    fields = kind.names if kind.kind == "V" else None
    leading = shape if fields or len(shape) < 2 else shape[:-1]
    columns = list(fields) if fields else [str(i) for i in range(min(shape[-1], MOST_COLUMNS))] if len(shape) > 1 else [""]
    rows, labels = [], []
    most = min(MOST_ROWS, max(MOST_CELLS // max(len(columns), 1), 1))
    if len(shape) < 2 and not fields:
        texts = read.texts(read.part(value, slice(most)), kind) if shape else [text_of(read.list(value))]
        rows, labels = [[text] for text in texts], [str(i) for i in range(len(texts))] if shape else [""]
    else:
        for at in places(leading, most):
            if fields:
                found = read.list(read.part(value, at[:-1] + (slice(at[-1], at[-1] + 1),)))[0] if at else read.list(value)
                rows.append([text_of(x) for x in found])
            else:
                rows.append(read.texts(read.part(value, at + (slice(MOST_COLUMNS),)), kind))
            labels.append(", ".join(map(str, at)))
    kinds = [name_of(kind[name]) for name in fields] if fields else []
    return shape, name_of(kind), columns, kinds, labels, rows


def places(shape, most):
    """Yields the first indices of an array of a shape, in order."""
    if 0 in shape:
        return
    at = [0] * len(shape)
    for _ in range(most):
        yield tuple(at)
        k = len(shape) - 1
        while k >= 0 and at[k] == shape[k] - 1:
            at[k] = 0
            k -= 1
        if k < 0:
            return
        at[k] += 1


def of_frame(value):
    names = object.__getattribute__(value, "__dict__")
    manager = names["_mgr"]
    axes = member(manager, "axes")
    blocks = member(manager, "blocks")
    index = axes[-1]
    size = length(index)
    if len(axes) == 1:
        most = min(size, MOST_ROWS)
        kind, texts = column(member(blocks[0], "values"), most)
        label = names.get("_name")
        return (size,), kind, ["" if label is None else label_of(label)], [], labels(index, most), [[x] for x in texts]
    wide = length(axes[0])
    shown = min(wide, MOST_COLUMNS)
    most = min(size, MOST_ROWS, max(MOST_CELLS // max(shown, 1), 1))
    found = [None] * shown
    for block in blocks:
        values = member(block, "values")
        for k, place in enumerate(plain_list(member(member(block, "_mgr_locs"), "as_array"))):
            if place < shown:
                found[place] = column(values, most, k)
    return (
        (size, wide), "", labels(axes[0], shown), [kind for kind, _ in found],
        labels(index, most), [list(row) for row in zip(*[texts for _, texts in found])],
    )  # fmt: skip


def plain_list(value):
    read = Array(array_class(type(value)))
    return read.list(value)


def length(axis):
    names = object.__getattribute__(axis, "__dict__")
    if "_range" in names:
        return len(names["_range"])
    if "_codes" in names:
        return len(plain_list(names["_codes"][0]))
    read, values = stored(names["_data"])
    return read.shape(values)[0]


def labels(axis, most):
    """Returns the first labels of an axis."""
    names = object.__getattribute__(axis, "__dict__")
    if "_range" in names:
        return [str(i) for i in names["_range"][:most]]
    if "_codes" in names:  # an index with several levels
        levels = [labels(level, length(level)) for level in list.copy(names["_levels"])]
        codes = [plain_list(codes)[:most] for codes in list.copy(names["_codes"])]
        return [", ".join(level[i] if i >= 0 else "nan" for level, i in zip(levels, row)) for row in zip(*codes)]
    return [unquoted(text) for text in column(names["_data"], most)[1]]


def label_of(label):
    return unquoted(text_of(label))


def unquoted(text):
    """Returns the repr of a string label without quotes, if it contains no escapes."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" and "\\" not in text else text


def stored(values):
    """Returns an Array reader and the array that holds values."""
    base = array_class(type(values))
    while base is None:
        names = object.__getattribute__(values, "__dict__")
        values = names["_data"] if "_data" in names else member(values, "_ndarray")
        base = array_class(type(values))
    read = Array(base)
    return read, read.plain(values)


def column(values, most, row=None):
    """Returns the dtype and the first elements of a column, which may be a row of a block."""
    read, inner = stored(values)
    if row is not None and len(read.shape(inner)) > 1:
        inner = read.part(inner, row)
    kind = read.kind_of(inner)
    inner = read.part(inner, slice(most))
    own = {} if type(values) is read.base else object.__getattribute__(values, "__dict__")
    texts = read.texts(inner, kind)
    if "_mask" in own:  # nullable numbers
        return name_of(kind), ["<NA>" if gone else x for x, gone in zip(texts, plain_list(own["_mask"]))]
    if type(values).__name__ == "Categorical":
        categories = object.__getattribute__(member(values, "_dtype"), "__dict__")["_categories"]
        names = labels(categories, length(categories))
        return "category", [names[i] if i >= 0 else "nan" for i in plain_list(inner)]
    return name_of(kind), texts
