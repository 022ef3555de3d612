"""What each line of a source file may change.

    lines = effects.of(text)
    effect = lines.at(line)

An effect says where to look after a line has run: it is found from the source
alone, before anything is known of the values. In doubt it says: everything.
The line's own code only is meant: user code that it calls has lines of its
own, and is traced. An effect is settled at the next event with the line that
was on top, and once more with what remains of a caller's line after a return.

A statement of several lines has its effect on each of them; a line of several
statements, or of a lambda's or comprehension's frame as well, the effects of all.
"""

from _npdb import reads
from _npdb.following import Lost
from _npdb.known import ALL, QUIET, REACH
from _npdb.lines import Line
from _npdb.source import Source

__all__ = ("ALL", "EVERYTHING", "Effect", "Lines", "Lost", "NOTHING", "QUIET", "REACH", "of")


class Effect:
    """What a line may change.

    quiet      nothing to look at after it: no object changes, no name is bound.
               Holds as long as methods has none of the names that library
               types were found to change things by, no object whose [] changes
               it was seen where the line has subscripts, and callees are harmless
    level      QUIET; REACH, all that the names in roots reach (through bound
               methods and partial objects too); ALL, everything: what is not
               reached by any frame then, when it is met again
    names      ((name, known), …) that the line may bind or delete in its frame.
               known: the value is held by another recorded place already, unless a
               type with one of methods, or whose [] is code, was seen
    globals    names that it binds in the module, though its frame is a function's
    cells      names that it binds and other functions' frames share
    places     ((what, where, extra), …) of objects whose own content may have changed:
                 "item"       at a key; extra(L, G) follows the key
                 "earlier"    at a key that is what one of the names in rebound was before the line
                 "delete"     a key is gone; extra(L, G) follows the key
                 "attribute"  extra is its name, set or deleted
                 "call"       by a method that changes it; extra is its name
                 "value"      by an augmented assignment to it; extra is the
                              frame's name that it is bound to, or None
                 "elements"   one of its elements may have changed in any way
                 "look"       in any way
               where(L, G) gives the object, or None (or another atom) where there
               is nothing; it raises Lost, whose level says what to look at instead.
               extra of "item" and "delete" raises Lost too: look at all of the object
    roots      names that the line loads
    methods    names of methods and attributes that it uses, whose effect depends
               on the type that is met. Where one is a library type's that may
               change something by it (callees.changes), callees.met says how much
    receivers  ((name, where), …) the same names with what they are of, for callees.met
    subscripts ((where, key), …) that it indexes by [], each part None where it
               cannot be followed: for types whose [] changes them
    callees    ((where, name), …) that it calls and of which the source tells nothing:
               see callees.level(where(L, G), name), which says how much to look at
    single     at most one place changes, and once
    repeats    code of the line runs more than once, or its places are not known apart
    once       the line is one assignment, which binds its names at its end
    late       what it binds or changes it does at its end: nothing has changed before
               one of its own instructions that store
    fresh      the line makes objects: an id may be used again
    ways       ((path, scope), …) of the places, for those of which where raises Lost
    answers    one of these may lead through what code of the file's returns to the line:
               that is noted
    plain      names and places say it all: set by who looks
    quick      what says what the line has changed in the common case: set by who looks
    attribute  of a line that sets one attribute what gives the object, and the name
    unwinds    the level for what runs between an exception event on the line and
               the frame's next line event: the end of a with statement
    """

    __slots__ = (
        "quiet", "level", "names", "globals", "cells", "places", "roots", "methods", "receivers", "subscripts", "callees", "single",
        "rebound", "once", "ways", "answers", "repeats", "late", "fresh", "unwinds", "plain", "quick", "attribute",
    )

    def __init__(self, level=QUIET, quiet=False):
        self.quiet = quiet
        self.level = level
        self.once = False
        self.rebound = self.ways = ()
        self.names = self.globals = self.cells = self.places = self.roots = self.receivers = self.subscripts = self.callees = ()
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
    """The effects of a file's lines, each found when it is first asked for."""

    def __init__(self, source):
        self.source = source
        self.known = {}
        self.read = {}

    def at(self, line):
        found = self.known.get(line)
        if found is None:
            try:
                found = line_effect(self.source, line)
            except Exception:  # too deep, or a kind of node that is not known
                found = EVERYTHING
            self.known[line] = found
        return found

    def repr_of(self, first_line):
        """What the __repr__ that begins at a line depends on: "own" (on the object
        and no content), "reach" (on what its attributes reach) or "any"."""
        return self.reads(first_line)[0]

    def reads(self, first_line):
        """The same with the names of the attributes that it reads, None for all."""
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
    """The lines of a source text; of one that cannot be read, any may change everything."""
    try:
        return Lines(Source(text))
    except Exception:
        return Lines(None)
