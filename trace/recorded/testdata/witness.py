"""Runs a program under sys.settrace and prints, as JSON, the lines of its line
events and, for each def that ran, the line of the first one after the call."""

import io
import json
import sys

path = sys.argv[1]
lines, bodies = set(), {}


def trace(frame, event, _):
    code = frame.f_code
    if code.co_filename != path:
        return None
    if event == "line":
        lines.add(frame.f_lineno)
        bodies.setdefault("%s:%d" % (code.co_name, code.co_firstlineno), frame.f_lineno)
    return trace


with open(path, "rb") as file:
    program = compile(file.read(), path, "exec", dont_inherit=True)
out, sys.stdout = sys.stdout, io.StringIO()
sys.settrace(trace)
exec(program, {"__name__": "__main__"})
sys.settrace(None)
json.dump({"lines": sorted(lines), "bodies": bodies}, out)
