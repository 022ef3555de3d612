"""Counts the constructs in the programs of a dataset.

    python3.12 variety.py [--benchmark FILE] [--programs N] [--table] FILE|DIR…

Files are shards of `npdb dataset`, or JSON lines with code and input. It runs the programs and
counts method calls by the receiver's type; it counts all other constructs in the source. With
--benchmark it prints the share of another file's constructs that occur in the programs; with
--table it lists every method with its count. The exit status is 1 if a method of the table is
called by no program.
"""

import argparse
import ast
import builtins
import collections
import statistics
import sys

from observed import METHODS, observed
from shapes import nameless, shapes
from sources import programs

NODES = [
    cls
    for base in (ast.stmt, ast.expr, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.pattern)
    for cls in base.__subclasses__()
    if cls.__module__ == "ast" and "Deprecated" not in (cls.__doc__ or "")
]
BUILTINS = [name for name in dir(builtins) if not name.startswith("_") and callable(getattr(builtins, name))]
# These built-ins end the interpreter, ask a person or read files. Programs for training do not
# contain them.
OUTSIDE = {"breakpoint", "copyright", "credits", "exit", "help", "input", "license", "open", "quit"}


class Variety:
    """Counts the constructs of programs: programs for nodes and built-ins, calls for methods, and
    occurrences for shapes."""

    def __init__(self):
        self.programs = self.failed = 0
        self.methods, self.nodes, self.builtins, self.names, self.shapes = (collections.Counter() for _ in range(5))
        self.trees, self.lengths, self.events = set(), [], []

    def add(self, source, entry):
        self.programs += 1
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            self.failed += 1
            return
        nodes = list(ast.walk(tree))
        self.nodes.update({type(node).__name__ for node in nodes})
        names, stored = set(), set()
        for node in nodes:
            if isinstance(node, ast.Name):
                names.add(node.id)
                if not isinstance(node.ctx, ast.Load):
                    stored.add(node.id)
            elif isinstance(node, ast.arg):
                stored.add(node.arg)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                stored.add(node.name)
        self.builtins.update((names - stored) & set(BUILTINS))
        self.names.update(names | stored)
        self.shapes.update(shapes(tree))
        self.trees.add(nameless(tree))
        self.lengths.append(source.count("\n"))
        found = observed(source, entry)
        if found is None:
            self.failed += 1
            return
        events, calls = found
        self.events.append(events)
        self.methods.update(calls)


def unused(found):
    """Returns the methods of the table that no program calls."""
    return [one for one in METHODS if not found.methods[one]]


def spread(numbers):
    """Returns the range, the deciles and the mean of numbers as text."""
    if len(numbers) < 2:
        return str(numbers)
    tenths = [round(n) for n in statistics.quantiles(numbers, n=10)]
    return f"{min(numbers)} [{' '.join(map(str, tenths))}] {max(numbers)}, mean {statistics.mean(numbers):.1f}"


def covered(name, have, of, unit="of"):
    missing = [one for one in of if not have[one]]
    print(f"{name}: {len(of) - len(missing)} {unit} {len(of)}" + (f"; not: {', '.join(map(str, missing))}" if missing else ""))


def report(found, table):
    print(f"programs: {found.programs}, of which {found.failed} could not be run")
    for kind in dict.fromkeys(kind for kind, _ in METHODS):
        covered(f"methods of {kind}", found.methods, [one for one in METHODS if one[0] == kind])
    covered("builtins", found.builtins, [name for name in BUILTINS if name not in OUTSIDE])
    covered("syntax", found.nodes, sorted({cls.__name__ for cls in NODES}))
    print(f"distinct names: {len(found.names)}")
    print(f"distinct syntax trees, names and constants put aside: {len(found.trees)} of {found.programs}")
    print(f"lines, by tenths: {spread(found.lengths)}")
    print(f"events, by tenths: {spread(found.events)}")
    if table:
        for kind, name in METHODS:
            print(f"  {kind}.{name} {found.methods[kind, name]}")


def compared(found, other):
    """Prints the share of a benchmark's constructs that occur in the programs."""
    print(f"benchmark: {other.programs} programs, of which {other.failed} could not be run")
    for name in ("shapes", "nodes", "methods", "builtins"):
        ours, theirs = getattr(found, name), getattr(other, name)
        if name == "methods":
            theirs = {one: n for one, n in theirs.items() if one in METHODS}
        distinct, uses = len(theirs), sum(theirs.values())
        had = [one for one in theirs if ours[one]]
        if distinct:
            share = sum(theirs[one] for one in had) / uses
            print(f"its {name}: {len(had)} of {distinct} ({len(had) / distinct:.1%}), {share:.1%} of their uses")
            print("  lacking most: " + "; ".join(f"{one} ({n})" for one, n in sorted(
                ((one, n) for one, n in theirs.items() if not ours[one]), key=lambda pair: -pair[1])[:12]))


def counted(paths, most=None):
    found = Variety()
    for number, (source, entry) in enumerate(programs(paths)):
        if number == most:
            break
        found.add(source, entry)
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("paths", nargs="+")
    p.add_argument("--benchmark", help="JSON lines with code and input")
    p.add_argument("--programs", type=int, help="at most so many")
    p.add_argument("--table", action="store_true", help="each method and its count")
    o = p.parse_args()
    found = counted(o.paths, o.programs)
    report(found, o.table)
    if o.benchmark:
        compared(found, counted([o.benchmark]))
    sys.exit(bool(unused(found)))


if __name__ == "__main__":
    main()
