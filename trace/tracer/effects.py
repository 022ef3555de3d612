"""What each line of a source file may change.

    lines = effects.of(text)
    effect = lines.at(line)

An effect says what to examine after a line has run. It is derived from the source
alone, before any value is known. In doubt it says: everything. It only covers the code
of the line itself, because user code that the line calls is traced and has lines of its
own. An effect is settled at the next event, for the line that was on top. After a
return, the remaining effect of the caller's line is settled once more.

A statement of several lines has its effect on each of them. A line that several
statements share has the effects of all, and so has a line that also belongs to the
frame of a lambda or comprehension.
"""

from _npdb import reads
from _npdb.following import Lost
from _npdb.known import ALL, QUIET, REACH
from _npdb.lines import Line
from _npdb.source import Source

__all__ = ("ALL", "EVERYTHING", "Effect", "Lines", "Lost", "NOTHING", "QUIET", "REACH", "of")


class Effect:
    """What a line may change.

    quiet      nothing to examine after it: no object changes, no name is bound.
               This is only true while three conditions hold: methods contains no
               name by which a library type seen so far changes objects; no object
               whose [] changes it was seen, if the line has subscripts; and the
               callees are harmless
    level      QUIET; REACH, everything that the names in roots reach, also through
               bound methods and partial objects; ALL, everything. Objects that no
               frame reaches are examined when they are next seen
    names      ((name, known), …) that the line may bind or delete in its frame.
               known: some recorded place already refers to the value, unless a type
               was seen that has one of methods, or whose [] runs code; READ, if the
               value was read from an attribute
    globals    names that it binds in the module, from a function's frame
    cells      names that it binds and that frames of other functions share
    places     ((what, where, extra), …) of objects whose own content may have changed:
                 "item"       at a key; extra(L, G) returns the key
                 "earlier"    at a key that is the value that one of the names in rebound
                              had before the line
                 "delete"     a key was removed; extra(L, G) returns the key
                 "attribute"  an attribute was set or deleted; extra is its name
                 "call"       a method that changes it was called; extra is its name
                 "value"      it is the target of an augmented assignment; extra is the
                              name in the frame that is bound to it, or None
                 "elements"   one of its elements may have changed in any way
                 "look"       in any way
               where(L, G) returns the object, or None (or another atom) if there is
               none. It raises Lost, whose level says what to examine instead. If extra
               of "item" or "delete" raises Lost, the whole object must be examined
    roots      names that the line loads
    methods    names of methods and attributes that it uses and whose effect depends on
               the type of the object. If a library type may change something by one of
               them (callees.changes), callees.met returns the level
    receivers  ((name, where), …) the same names with their objects, for callees.met
    subscripts ((where, key), …) that it indexes by []; a part is None if it cannot be
               followed. For types whose [] changes them
    callees    ((where, name), …) that it calls and that the source does not explain:
               callees.level(where(L, G), name) returns the level
    passed     ((where, name, owner, attribute), …): a method that changes its object is used as
               a value, and library code may call it later. where(L, G) returns the object,
               owner(L, G) the one that refers to it by an attribute; owner is None if a name does
    single     at most one place changes, and only once
    repeats    code of the line runs more than once, or its places may be the same
    once       the line is one assignment, which binds its names at its end
    late       it binds and changes everything at its end: nothing has changed before
               one of its own instructions that store
    fresh      the line creates objects: an id may be used again
    ways       ((path, scope), …) of the places, for those whose where raises Lost
    answers    one of these may lead through code of the file whose result must be
               stored for the line (answers.py), or a callee may change such a result
    plain      names and places are complete: set by changes.plan
    quick      the function of quick.py for this case: set by quick.choose
    attribute  for a line that sets one attribute: a function that returns the object,
               and the name
    unwinds    the level for code that runs between an exception event on the line and
               the frame's next line event: the end of a with statement
    """

    __slots__ = (
        "quiet", "level", "names", "globals", "cells", "places", "roots", "methods", "receivers", "subscripts", "callees", "passed", "single",
        "rebound", "once", "ways", "answers", "repeats", "late", "fresh", "unwinds", "plain", "quick", "attribute",
    )

    def __init__(self, level=QUIET, quiet=False):
        self.quiet = quiet
        self.level = level
        self.once = False
        self.rebound = self.ways = ()
        self.names = self.globals = self.cells = self.places = self.roots = self.receivers = self.subscripts = self.callees = self.passed = ()
        self.methods = frozenset()
        self.single = True
        self.answers = self.repeats = self.late = False
        self.fresh = level == ALL
        self.unwinds = QUIET
        self.plain = False
        self.quick = self.attribute = None


NOTHING = Effect(quiet=True)
EVERYTHING = Effect(ALL)
EVERYTHING.unwinds = ALL


class Lines:
    """The effects of a file's lines, each computed on first use."""

    def __init__(self, source):
        self.source = source
        self.known = {}
        self.read = {}

    def at(self, line):
        found = self.known.get(line)
        if found is None:
            try:
                found = line_effect(self.source, line)
            except Exception:  # nested too deeply, or an unknown kind of node
                found = EVERYTHING
            self.known[line] = found
        return found

    def repr_of(self, first_line):
        """Returns what the result of the __repr__ that begins at a line depends on:
        "own" (on the object and no content), "reach" (on everything that its attributes
        reach) or "any"."""
        return self.reads(first_line)[0]

    def reads(self, first_line):
        """Like repr_of, with the names of the attributes that it reads, None for all."""
        found = self.read.get(first_line)
        if found is None:
            try:
                found = reads.of(self.source, first_line)
            except Exception:
                found = reads.ANY, None
            self.read[first_line] = found
        return found


def line_effect(source, line):
    statements = source and source.lines.get(line)
    if not statements:
        return EVERYTHING
    if len(statements) == 1 and statements[0].effect is not None:
        return statements[0].effect
    made = Line(source)
    for statement in statements:
        made.take(statement)
    found = made.effect(Effect)
    if len(statements) == 1:
        statements[0].effect = found
    return found


def of(text):
    """Returns the lines of a source text. If the text cannot be parsed, any line may
    change everything."""
    try:
        return Lines(Source(text))
    except Exception:
        return Lines(None)
