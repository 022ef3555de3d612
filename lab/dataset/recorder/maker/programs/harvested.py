"""Names and English words of the standard library, and lists of common ones."""

import builtins
import keyword
import os
import re
import sysconfig
import tokenize

_MODULES = """
abc argparse ast base64 bdb bisect calendar cmd code codecs collections/__init__
colorsys compileall configparser contextlib copy csv dataclasses datetime
difflib dis doctest email/message email/utils enum filecmp fileinput fnmatch
fractions ftplib functools gettext glob graphlib gzip hashlib heapq
html/parser http/client http/cookies imaplib inspect ipaddress json/decoder
json/encoder keyword locale logging/__init__ mailbox mimetypes netrc
optparse os pathlib pdb pickle pickletools platform plistlib pprint
queue quopri random re/_parser reprlib sched selectors shlex shutil
smtplib statistics string subprocess tabnanny tarfile tempfile textwrap
timeit tokenize trace traceback turtle types typing unittest/case
urllib/parse uuid warnings weakref wsgiref/headers xml/dom/minidom
xml/etree/ElementTree zipfile/__init__
""".split()

BANNED = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | frozenset(
    dir(builtins)) | frozenset(
    # Modules that the generated programs may import. A local with such a name would
    # hide the module.
    """math collections functools itertools string re dataclasses typing enum
    operator contextlib heapq bisect textwrap copy Counter OrderedDict
    defaultdict deque namedtuple reduce partial wraps lru_cache chain product
    permutations combinations accumulate groupby dataclass field List Dict Set
    Tuple Optional Any Enum IntEnum self cls print_ f""".split())

_NAME = re.compile(r"[a-z]+(?:[_A-Z0-9][A-Za-z0-9_]*)?\Z")
_CLASS = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+){0,2}\Z")
_ENGLISH = re.compile(r"[a-z]{2,10}\Z")


def _harvest():
    """Returns the identifiers, class names and words that occur at least twice in the
    source of some standard modules."""
    root = sysconfig.get_paths()["stdlib"]
    uses, words = {}, {}
    for module in _MODULES:
        path = os.path.join(root, module + ".py")
        try:
            with tokenize.open(path) as file:
                text = file.read()
        except OSError:
            continue
        # For this purpose a regular expression splits code as well as tokenize does,
        # and it is twenty times faster. The import must not take long.
        prose = re.findall(r'"""(.*?)"""|#([^\n]*)', text, re.S)
        code = re.sub(r'""".*?"""|#[^\n]*|"[^"\n]*"|\'[^\'\n]*\'', " ", text,
                      flags=re.S)
        for name in re.findall(r"(?<![.\w])[A-Za-z_]\w*", code):
            uses[name] = uses.get(name, 0) + 1
        for piece in prose:
            for word in re.findall(r"\b[A-Za-z][a-z]+\b", " ".join(piece)):
                word = word.lower()
                words[word] = words.get(word, 0) + 1
    names, classes = [], []
    for name, count in sorted(uses.items()):
        if count < 2 or len(name) > 16 or name in BANNED or len(name) < 3:
            continue
        if _NAME.match(name):
            names.append(name)
        elif _CLASS.match(name) and not name.endswith(("Error", "Warning")):
            classes.append(name)
    english = [word for word, count in sorted(words.items())
               if count >= 3 and _ENGLISH.match(word)]
    return names, classes, english


NAMES, CLASSES, WORDS = _harvest()
SNAKE = [name for name in NAMES if "_" in name] or ["max_len"]
PLAIN = [name for name in NAMES if "_" not in name] or ["value"]

COMMON = """
text nums result count idx res ans tmp acc total key val item lst arr d out
string s1 s2 numbers words word char chars ch letters letter line lines items
values keys data seq array dic dct dictionary mapping table new new_list
new_dict new_text new_str output ret result_list current cur prev last first
left right lo hi start end stop step size length width height index pos
offset limit n1 n2 num number digits digit value values_list pairs pair row col
rows cols grid matrix node stack queue buf buffer seen found flag done freq
counts counter groups group parts part piece pieces tokens token sep sub
substr pattern prefix suffix target source src dst name names elem element
elements other temp best score scores total_sum product sub_list s_list txt
sentence message msg phrase base amount price cost maxv minv mid half level
depth rest head tail
""".split()
COMMON = [name for name in COMMON if name not in BANNED]
# f is missing, because most functions have that name.
LETTERS = "abcdeghijklmnopqrstuvwxyz" + "nnnkkxxxyysssttiijmmpqrvcad"
ATTRIBUTES = """
name value items data size count total owner balance children parent left
right next head tail key label state status level score width height x y
color price quantity stock tags history log queue stack index limit capacity
rate kind title body text lines position offset buffer cache table entries
""".split()
VERBS = """
get set make build find count sum merge split join parse format check is has
compute calc filter sort group remove add update reverse encode decode clean
strip normalize convert transform process solve apply collect flatten compress
expand rotate shift swap select replace validate extract match compare fill
pad trim is_valid to from max min first last index map reduce unique
""".split()
CLASS_PARTS = """
Account Stack Queue Node Tree Point Vector Matrix Counter Parser Token Buffer
Inventory Item Order Cart Shape Circle Square Animal Dog Robot Player Game
Board Card Deck Bank Ledger Event Logger Cache Graph Edge Path Range Interval
Temperature Money Book Library Student Course Grid Cell Machine Light Door
Meter Timer Pipeline Stage Rule Filter Record Registry Shelf Box Ring Window
""".split()
