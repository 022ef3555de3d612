# argparse: a deep object graph, long functions, SystemExit caught.
# conformance: nolocals
# user: argparse
import sys

sys.modules.pop("argparse", None)
import argparse

p = argparse.ArgumentParser(prog="tool", add_help=False)
p.add_argument("-v", "--verbose", action="store_true")
p.add_argument("n", type=int)
args = vars(p.parse_args(["-v", "3"]))
try:
    p.parse_args(["x"])
except SystemExit as e:
    code = e.code
del p
