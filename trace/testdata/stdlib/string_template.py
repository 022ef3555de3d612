# string.Template and string.Formatter: callbacks from re.sub, recursion, generators.
# user: string
import sys

sys.modules.pop("string", None)
import string

t = string.Template("$who owes $$${n} to $other")
partly = t.safe_substitute(who="ann", n=3)
try:
    t.substitute(who="ann")
except KeyError as e:
    missing = e.args
f = string.Formatter().format("{0!r:>5}|{x[k]}|{{}}", "a", x={"k": [1]})
title = string.capwords("two words")
