"""The synthesiser's templates, parsed, and patterns of pointless code."""

import bisect
import re

from . import synth_collections as rest
from .synth_grammar import INT, STR
from .synth_statements import FEED, PLAIN

HOLE = re.compile(r"<([a-zA-Z][^<> ]*)>")


def _parse(block, levels=True):
    """Returns a table's lines as (cumulative weights, templates). A template is (level,
    pieces)."""
    weights, templates, total = [], [], 0.0
    for line in block.strip().splitlines():
        if levels:
            weight, level, source = line.split(" ", 2)
        else:
            (weight, source), level = line.split(" ", 1), 0
        total += float(weight)
        weights.append(total)
        templates.append((int(level), HOLE.split(source)))
    return weights, templates


_TEXTS = {"int": INT, "str": STR, "bool": rest.BOOL, "float": rest.FLOAT, **rest.OTHER}
TABLES = {kind: _parse(block) for kind, block in _TEXTS.items()}
TESTS = _parse("\n".join(line for line in _TEXTS["bool"].strip().splitlines() if "<bool" not in line and "<any" not in line))
# Both sides are equal: nobody writes that, and there is nothing to compute.
IDLE = re.compile(
    r"(?<![\w.\]])(\w+) (?:==|!=|<|>|<=|>=|-|%|//|/|&|\||\^|and|or) \1(?![\w.(\[])|^\(?(.+?)\)? (?:==|!=|<|>|<=|>=|-|%|//|/|&|\||\^|and|or|=) \(?\2\)?$"
    r"|(\w+) if [^\n]* else \3$|m(?:ax|in)\((\w+), \4\)|^(\w+) (?:-|\*|//|%|\||&|\^)= \5$"
    r"|(?<!\w)(\w+)\.(?!append|join|extend)\w+\(\6\)")
BARE = re.compile(r"^\w+ = \w+$")
PLAIN_TABLE = _parse(PLAIN, levels=False)
CHANGE = {}
for _line in PLAIN.strip().splitlines():
    if "<v:" in _line and "= <v:dsi>.pop(" not in _line:
        CHANGE.setdefault(_line.partition("<v:")[2].partition(">")[0], []).append(_line)
CHANGE = {kind: _parse("\n".join(block), levels=False) for kind, block in CHANGE.items()}
FEED_TABLES = {kind: _parse(block, levels=False) for kind, block in FEED.items()}


def split(source):
    """Returns a template's pieces: text and holes alternate."""
    return HOLE.split(source)


def pick_from(rng, table):
    """Returns one template of a parsed table."""
    weights, templates = table
    return templates[bisect.bisect_right(weights, rng.random() * weights[-1] * 0.999999)]
