# graphlib: a depth-first search with an explicit stack, a cycle reported.
# user: graphlib
import sys

sys.modules.pop("graphlib", None)
import graphlib

order = list(graphlib.TopologicalSorter({"d": ["b", "c"], "b": ["a"], "c": ["a"]}).static_order())
try:
    graphlib.TopologicalSorter({"x": ["y"], "y": ["x"]}).prepare()
except graphlib.CycleError as e:
    cycle = sorted(set(e.args[1]))
