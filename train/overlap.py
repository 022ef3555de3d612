"""Looks for programs of a benchmark among those that are made to train on.

Functions are compared by their syntax, names put aside: with their constants ("the
same"), and without ("alike": two-line functions of one shape are).

    python3 -m train.overlap CRUXEVAL.jsonl --programs 20000
"""

import argparse
import ast
import json
import random

from maker.programs import make


class Nameless(ast.NodeTransformer):
    """Names by their order of appearance; constants by their type where asked."""

    def __init__(self, constants):
        self.constants, self.names = constants, {}

    def name(self, n):
        return self.names.setdefault(n, f"n{len(self.names)}")

    def visit_Name(self, node):
        return ast.Name(self.name(node.id), node.ctx)

    def visit_arg(self, node):
        return ast.arg(self.name(node.arg), None)

    def visit_FunctionDef(self, node):
        node.name, node.returns, node.decorator_list = self.name(node.name), None, []
        return self.generic_visit(node)

    def visit_Constant(self, node):
        return node if self.constants else ast.Constant(type(node.value).__name__)


def shapes(source, constants):
    """The functions of a source, each as its nameless syntax."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return set()
    found = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.add(ast.dump(Nameless(constants).visit(node)))
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("benchmark", help="JSON lines with a field code")
    p.add_argument("--programs", type=int, default=20000)
    p.add_argument("--seed", default="overlap")
    o = p.parse_args()
    theirs = {True: {}, False: {}}
    for line in open(o.benchmark, encoding="utf-8"):
        code = json.loads(line)["code"]
        for constants, known in theirs.items():
            known.update(dict.fromkeys(shapes(code, constants), code))
    rng, functions = random.Random(o.seed), 0
    same, alike = set(), set()
    for _ in range(o.programs):
        try:
            source = make(rng, rng.random()).source
        except Exception:  # as rare as train.shards counts it
            continue
        functions += len(shapes(source, True))
        same |= shapes(source, True) & theirs[True].keys()
        alike |= shapes(source, False) & theirs[False].keys()
    print(f"{functions} functions of {o.programs} programs; of the benchmark's {len(theirs[True])}: {len(same)} are the same, {len(alike)} alike")
    for shape in sorted(same):
        print(theirs[True][shape], end="\n\n")
    for shape in sorted(alike):
        print("alike:", theirs[False][shape], sep="\n", end="\n\n")


if __name__ == "__main__":
    main()
