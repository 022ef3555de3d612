"""Holds what effects.py says of lines against what a file says of them itself.

    effects_table.py TRACER FILE

A comment `#: …` at the end of a line names what the line may change: its names
(* where the value is known, ** where it was read from an attribute), its places, `calls` where the value that is called
is looked at, `global:x`, `cell:x`, `reach` or `all`; nothing where it is quiet.
`#= …` at the head of a function says what its value depends on.
"""

import sys
import types

package = types.ModuleType("_npdb")
package.__path__ = [sys.argv[1]]
sys.modules["_npdb"] = package
sys.dont_write_bytecode = True
from _npdb import effects  # noqa: E402

LEVELS = {effects.QUIET: [], effects.REACH: ["reach"], effects.ALL: ["all"]}


def said(e):
    words = [name + "*" * known for name, known in e.names if not name.startswith("__")]
    words += [what + (":" + extra if isinstance(extra, str) and what not in ("value", "look") else "") for what, _, extra in e.places]
    words += ["global:" + name for name in e.globals] + ["cell:" + name for name in e.cells]
    words += ["calls"] * bool(e.callees) + LEVELS[e.level]
    if e.quiet and words or not e.quiet and not words:
        words.append("quiet=%s" % e.quiet)
    return sorted(words)


with open(sys.argv[2]) as f:
    text = f.read()
lines = effects.of(text)
wrong = compared = 0
for number, line in enumerate(text.splitlines(), 1):
    for mark in ("#:", "#="):
        if mark not in line:
            continue
        want = sorted(line.rpartition(mark)[2].split())
        if mark == "#:":
            got = said(lines.at(number))
        else:
            kind, attributes = lines.reads(number)
            got = sorted([kind] + list(attributes or ()))
        compared += 1
        if got != want:
            wrong += 1
            print("%d: %s\n    it says: %s" % (number, line, " ".join(got)))
print("%d compared, %d wrong" % (compared, wrong))
sys.exit(wrong > 0 or compared < 50)
