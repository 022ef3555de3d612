# difflib: nested loops, a recursive helper turned into a queue, generators.
# user: difflib
import sys

sys.modules.pop("difflib", None)
import difflib

a, b = "one\ntwo\nthree\n".splitlines(True), "one\ntoo\nthree\nfour\n".splitlines(True)
ratio = round(difflib.SequenceMatcher(None, "abcd", "bcde").ratio(), 3)
diff = list(difflib.unified_diff(a, b, "a", "b", n=0))
close = difflib.get_close_matches("appel", ["ape", "apple", "peach"], 1)
