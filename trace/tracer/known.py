"""Facts about builtins and the standard library: which calls change nothing that a
program displays, and which change one of their arguments.
"""

from _npdb import library

QUIET, ESCAPED, REACH, ALL = 0, 1, 2, 3  # levels of an effect, without ESCAPED, and of store.restless, without REACH
LATER = "()"  # in place of the name of a method: the value is called when an iterator is advanced
READ = 2  # a name's new value was read from an attribute or an array, which may have made it: path.parent, table.__setitem__

_collections = library.take("_collections")
FieldType = getattr(_collections, "_tuplegetter", property)  # type of the fields of a namedtuple
DEQUE = _collections.deque
DICTS = frozenset((dict, _collections.defaultdict, _collections.OrderedDict))

# Methods of builtin containers that change the container.
MUTATORS = frozenset(
    """append appendleft extend extendleft insert pop popleft popitem remove discard add clear update setdefault sort
    reverse rotate difference_update intersection_update symmetric_difference_update move_to_end subtract
    __setitem__ __delitem__ __iadd__ __ior__ __iand__ __isub__ __ixor__ __imul__ __setattr__ __delattr__ __setstate__
    __init__ fromlist frombytes fromfile fromunicode byteswap""".split()
)

# Methods of builtin types, files, patterns, dates and paths that change nothing that is
# displayed. A library type that uses one of these names for something else is detected
# when an object of it is seen.
METHODS = frozenset(
    n for t in (str, bytes, int, float, complex, list, dict, tuple, set, frozenset, range, DEQUE, memoryview)
    for n in dir(t) if not n.startswith("__")
).union(
    """elements most_common total __len__ __getitem__ __contains__ __iter__ __next__ __eq__ __ne__ __hash__ __repr__ __str__
    __lt__ __le__ __gt__ __ge__ __add__ __sub__ __mul__ __bool__ __call__ __enter__ __format__ __int__ __float__ __reversed__
    __getattribute__ __subclasses__ __new__ __init_subclass__ __class_getitem__ __contains__ __reduce__ __sizeof__ mro
    write writelines read readline readlines close flush seek tell fileno isatty truncate readable writable seekable getvalue detach
    match search fullmatch findall finditer sub subn group groups groupdict start end span expand
    strftime isoformat timestamp date time weekday isoweekday timetuple total_seconds astimezone utcoffset toordinal ctime strptime
    fromisoformat fromtimestamp today now utcnow combine quantize sqrt ln exp to_integral_value as_tuple as_integer_ratio
    is_integer limit_denominator normalize compare
    exists is_file is_dir resolve absolute relative_to joinpath with_suffix with_name iterdir glob rglob read_text write_text
    read_bytes write_bytes mkdir rmdir unlink touch stat open as_posix expanduser samefile is_absolute
    hexdigest digest writerow writerows writeheader dumps loads dump load acquire release locked is_set
    random randint randrange choice choices sample uniform gauss shuffle_ betavariate expovariate normalvariate getrandbits
    fromkeys maketrans debug info warning error exception critical log getLogger isEnabledFor
    with_traceback _replace _asdict _make cache_info cache_clear getter setter deleter register
    perf_counter partition values keys items""".split()
) - MUTATORS

# Methods and functions after which no other code refers to the namespace that they were
# called on.
HANDED = frozenset(dir(dict))
COPYING = frozenset("dict len list sorted set tuple str repr print bool type isinstance id".split())

# Builtin functions that change nothing, in addition to classes of exceptions.
BUILTINS = frozenset(
    """abs all any ascii bin bool bytearray bytes callable chr classmethod compile complex dict dir divmod enumerate
    filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len
    list locals map max memoryview min next object oct open ord pow print property range repr reversed round set slice
    sorted staticmethod str sum super tuple type vars zip quit exit __build_class__""".split()
)
# Functions that call their arguments: the index or name of each such argument.
CALLING = {
    "map": (0,), "filter": (0,), "iter": (0,), "sorted": ("key",), "min": ("key",), "max": ("key",),
    "reduce": (0,), "starmap": (0,), "groupby": (1, "key"), "accumulate": (1, "func"), "takewhile": (0,), "dropwhile": (0,),
    "filterfalse": (0,), "defaultdict": (0, "default_factory"), "sub": (1, "repl"), "subn": (1, "repl"), "partial": (0,),
    "nlargest": ("key",), "nsmallest": ("key",), "merge": ("key",), "bisect": ("key",), "bisect_left": ("key",),
    "bisect_right": ("key",), "insort": ("key",), "insort_left": ("key",), "insort_right": ("key",), "sort": ("key",),
    "loads": ("object_hook", "object_pairs_hook", "cls"), "load": ("object_hook", "object_pairs_hook", "cls"),
    "dumps": ("default", "cls"), "dump": ("default", "cls"), "setdefault": (), "singledispatch": (), "cmp_to_key": (0,),
}

# Modules whose functions change nothing of the program except the arguments given here.
# None stands for functions that may change anything.
CHANGING = {
    "array": {}, "abc": {}, "ast": {}, "base64": {}, "binascii": {}, "bisect": {"insort": 0, "insort_left": 0, "insort_right": 0},
    "calendar": {}, "cmath": {}, "collections": {}, "collections.abc": {}, "colorsys": {}, "contextlib": {}, "copy": {"deepcopy": 1},
    "csv": {}, "dataclasses": {}, "datetime": {}, "decimal": {}, "difflib": {}, "dis": {}, "enum": {}, "errno": {}, "fnmatch": {},
    "fractions": {}, "functools": {"update_wrapper": 0}, "getpass": {}, "glob": {}, "graphlib": {}, "hashlib": {},
    "heapq": {"heappush": 0, "heappop": 0, "heapify": 0, "heapreplace": 0, "heappushpop": 0, "_heapify_max": 0,
              "heapify_max": 0, "heappush_max": 0, "heappop_max": 0, "heapreplace_max": 0, "heappushpop_max": 0},
    "hmac": {}, "html": {}, "inspect": {}, "io": {}, "ipaddress": {}, "itertools": {}, "json": {}, "keyword": {}, "locale": {},
    "logging": {"basicConfig": None, "disable": None, "Logger.setLevel": None}, "math": {}, "numbers": {},
    "operator": {"setitem": 0, "delitem": 0, "iadd": 0, "iand": 0, "iconcat": 0, "imul": 0, "ior": 0, "isub": 0, "ixor": 0,
                 "methodcaller": None, "call": None},
    "os": {}, "os.path": {}, "pathlib": {}, "pickle": {}, "platform": {}, "posixpath": {}, "pprint": {}, "queue": {},
    "random": {"shuffle": 0}, "re": {}, "secrets": {}, "shlex": {}, "shutil": {}, "stat": {}, "statistics": {}, "string": {},
    "struct": {"pack_into": 1}, "sys": {"settrace": None, "setprofile": None}, "tempfile": {}, "textwrap": {},
    "threading": {}, "time": {}, "token": {}, "tokenize": {}, "traceback": {}, "types": {}, "typing": {}, "typing_extensions": {},
    "unicodedata": {}, "urllib.parse": {}, "uuid": {}, "warnings": {"warn": None, "warn_explicit": None, "simplefilter": None, "filterwarnings": None, "resetwarnings": None},
    "weakref": {}, "zlib": {}, "__future__": {},
}
# Classes of the standard library from which a class may inherit without changing how
# its objects are created.
PLAIN_BASES = frozenset("object Enum IntEnum Flag IntFlag StrEnum NamedTuple TypedDict Protocol Generic ABC dict list set tuple int str float".split())


def exception(name):
    """Returns whether a builtin name is a class of exceptions."""
    return name.endswith(("Error", "Exception", "Warning", "Interrupt", "Exit", "StopIteration", "StopAsyncIteration", "ExceptionGroup"))
